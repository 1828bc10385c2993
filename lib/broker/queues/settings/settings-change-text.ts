/** What the record of a settings change says: the settings that differ, those that delete or show something first and whole. */

import { changeTexts } from '@/lib/broker/audit/change-text';
import type { QueueConfig } from '@/lib/contract/queues/queue-config';

/** Redaction rules that are named whole on either side. */
const REDACT_MAX_BYTES = 2_400;
const OTHERS_MAX_BYTES = 300;
const FIRST = [
  'purgeNeedsApproval',
  'trashGraceMs',
  'deadKeepMs',
  'completedKeep',
  'completedKeepMs',
  'completedKeepBytes',
  'redact',
] as const satisfies readonly (keyof QueueConfig)[];

/** At most some 4,000 bytes each: all that a record takes. */
export function settingsTexts(before: QueueConfig, after: QueueConfig): { before: string; after: string } {
  const names = new Set<keyof QueueConfig>([...FIRST, ...(Object.keys(after) as (keyof QueueConfig)[])]);
  return changeTexts(
    [...names].map((name) => ({
      name,
      before: before[name],
      after: after[name],
      maxBytes: name === 'redact' ? REDACT_MAX_BYTES : OTHERS_MAX_BYTES,
    })),
  );
}
