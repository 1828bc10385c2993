/** What a save would change. */
import type { QueueConfig } from '@/lib/contract/config';

/** The settings that differ, as a patch for the server: nothing else is touched. */
export function patchOf(before: QueueConfig, after: QueueConfig): Partial<QueueConfig> {
  const keys = (Object.keys(after) as (keyof QueueConfig)[]).filter(
    (key) => ordered(before[key]) !== ordered(after[key]),
  );
  return Object.fromEntries(keys.map((key) => [key, after[key]]));
}

/** JSON with its keys in order: exceptions come in any order, and classes too. */
export function ordered(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(ordered).sort().join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${entries
    .map(([key, inner]) => `${JSON.stringify(key)}:${ordered(inner)}`)
    .sort()
    .join()}}`;
}
