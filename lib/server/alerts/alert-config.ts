/** The alert configuration: channels and rules, from REDRIVE_ALERTS or REDRIVE_ALERTS_FILE. Never in Redis, since it holds secrets. */

import { matchesQueuePattern } from '@/lib/contract/access/grant-scopes';
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import { hostText, targetOf } from '@/lib/contract/alerts/outgoing-target';
import { errorText } from '@/lib/contract/describe-error';
import { readEnv } from '../environment';
import { LiveFile } from '../live-file';
import {
  ALERT_CONFIG_FORM,
  type AlertChannel,
  type AlertConfig,
  addressOf,
  alertConfigSchema,
  type ConfiguredChannel,
  type HeartbeatChannel,
} from '../settings/alert-config-schema';
import { readJsonFile } from '../settings/json-setting';
import { singleton } from '../singleton';

export type { AlertChannel, AlertConfig, ConfiguredChannel, HeartbeatChannel };

/** Twenty channels with fifty codes and queues each stay well under it. */
const FILE_MAX_BYTES = 256 * 1024;
/** At once, because jobs are at stake; REDIS a moment later, because connections drop and come back. */
const USUAL_FOR_MS: Readonly<Record<string, number | null>> = {
  REDIS: 10_000,
  DATA_LOST: 0,
  LEDGER: 0,
  // A user chose these.
  PAUSED: null,
  DRAINING: null,
};
const BAD_FOR_MS = 30_000;
const WARN_FOR_MS = 300_000;

const files = singleton(
  'alert-config-files',
  () =>
    new LiveFile(readConfig, errorText, (config) =>
      config ? 'The channels and rules read before stay valid.' : 'No alert can be sent.',
    ),
);

/** Of now: a secret that changes in the file holds with the next message. @throws Error while there was no usable file yet */
export function alertConfig(): AlertConfig {
  const { REDRIVE_ALERTS, REDRIVE_ALERTS_FILE: path } = readEnv(process.env);
  if (path === undefined) return REDRIVE_ALERTS ?? alertConfigSchema.parse({});
  return files().current(path) ?? readConfig(path);
}

const readConfig = (path: string): AlertConfig =>
  readJsonFile('REDRIVE_ALERTS_FILE', path, alertConfigSchema, {
    what: ALERT_CONFIG_FORM,
    maxBytes: FILE_MAX_BYTES,
  });

/** A sentence that says why the console cannot use the file; null: it can. */
export function alertsFileProblem(): string | null {
  const { REDRIVE_ALERTS_FILE: path } = readEnv(process.env);
  if (path === undefined) return null;
  try {
    readConfig(path);
    return null;
  } catch (error) {
    return errorText(error);
  }
}

/** How long a finding of this code must stand before it is an alert; null: it never becomes one. */
export function alertAfterMs({ rules }: AlertConfig, code: string, level: 'warn' | 'bad'): number | null {
  const rule = Object.hasOwn(rules, code) ? rules[code] : undefined;
  if (rule) return 'off' in rule ? null : rule.forSeconds * 1_000;
  const usual = Object.hasOwn(USUAL_FOR_MS, code) ? USUAL_FOR_MS[code] : undefined;
  return usual !== undefined ? usual : level === 'bad' ? BAD_FOR_MS : WARN_FOR_MS;
}

/**
 * Whether a channel is told about an alert. Of an alert that reaches more queues than it names, any channel with queues is told: one
 * message too many is better than one too few.
 */
export function channelTakes(
  channel: ConfiguredChannel,
  { code, level, queues: { named, total } }: Pick<Alert, 'code' | 'level' | 'queues'>,
): channel is AlertChannel {
  if (channel.kind === 'heartbeat') return false;
  const { levels, codes, queues } = channel;
  if (!levels.includes(level)) return false;
  if (codes !== undefined && !codes.includes(code)) return false;
  if (queues === undefined || total > named.length) return true;
  return named.some((queue) => queues.some((pattern) => matchesQueuePattern(pattern, queue)));
}

/** The host of its address, or the receivers of its mails: what may be shown of it. */
export function channelTarget(channel: ConfiguredChannel): string {
  if (channel.kind === 'email') return channel.to.join(', ');
  const target = targetOf(addressOf(channel));
  return target === null ? '' : hostText(target);
}
