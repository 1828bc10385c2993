/**
 * Cron expressions, by croner with pinned rules (docs/schedules.md): a fixed time that the clocks skip comes right after the gap, and one
 * they repeat comes once; all others follow real time.
 */
import { Cron } from 'croner';
import { LRUCache } from 'lru-cache';
import { RedriveError } from '@/lib/contract/redrive-error';
import { isZone } from './time-zones';

export interface CronTiming {
  readonly cron: string;
  readonly timeZone: string;
}

const OPTIONS = { mode: '5-or-6-parts', fixedTimeRule: 'no-wildcard', paused: true } as const;
const FIELDS = ['second', 'minute', 'hour', 'day of month', 'month', 'day of week'] as const;
const cached = new LRUCache<string, Cron>({ max: 2_000 });

/** @throws RedriveError VALIDATION, naming the field of the expression that is wrong */
export function cronOf({ cron, timeZone }: CronTiming): Cron {
  const key = `${timeZone} ${cron}`;
  const known = cached.get(key);
  if (known) return known;
  checkZone(timeZone);
  const parts = cron.trim().split(/\s+/);
  // Croner would also take a single date, seven fields and nicknames.
  if (parts.length !== 5 && parts.length !== 6)
    throw wrongCron(
      `has ${parts.length} ${parts.length === 1 ? 'field' : 'fields'}; give five (minute, hour, day of month, month, day of week) or six (second first)`,
    );
  parts.forEach((_, at) => {
    checkField(parts, at);
  });
  const made = parse(parts.join(' '), timeZone);
  if (made instanceof Error) throw wrongCron(plain(made));
  cached.set(key, made);
  return made;
}

/** @throws RedriveError VALIDATION */
export function checkZone(timeZone: string): void {
  if (isZone(timeZone)) return;
  const message = 'is not a time zone; give an IANA name such as Europe/Berlin, or UTC';
  throw new RedriveError('VALIDATION', `timing.timeZone: "${timeZone}" ${message}.`, {
    fields: [{ field: 'timing.timeZone', message }],
  });
}

/** A field is tried on its own, so that the sentence can say which one is wrong. */
function checkField(parts: readonly string[], at: number): void {
  const alone = parts.map((part, i) => (i === at ? part : '*')).join(' ');
  const problem = parse(alone, 'UTC');
  if (!(problem instanceof Error)) return;
  const name = FIELDS[at + FIELDS.length - parts.length];
  throw wrongCron(`field ${at + 1} (${name}) "${parts[at]}" is wrong: ${plain(problem)}`);
}

function parse(pattern: string, timezone: string): Cron | Error {
  try {
    return new Cron(pattern, { ...OPTIONS, timezone });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const plain = (error: Error): string =>
  error.message.replace(/^CronPattern: /, '').replace(/^configuration entry \d+ \(.*\) (?=contains)/, '');

function wrongCron(message: string): RedriveError {
  return new RedriveError('VALIDATION', `timing.cron ${message.replace(/\.$/, '')}.`, {
    fields: [{ field: 'timing.cron', message: message.replace(/\.$/, '') }],
  });
}
