/** The redaction rules of a queue. Never from an old reading, which could show what is hidden by now; without an answer nothing is shown. */
import { isUtf8 } from 'node:buffer';
import { LRUCache } from 'lru-cache';
import { readFields } from '@/lib/broker/redis/bounded-reads';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { perContext } from '@/lib/broker/redis/context-cache';
import { parseJson } from '@/lib/broker/redis/parse-json';
import { forEachLimited } from '@/lib/broker/shards/fan-out';
import {
  HIDE_ALL,
  type HiddenValues,
  hiddenValuesOf,
  hidesNothing,
  jsonWithoutHiddenValues,
  mentions,
  REDACTION_DEFAULT,
  type RedactedText,
  type Redaction,
  redactionOf,
  redactionRulesSchema,
  redactText,
  withoutHiddenValues,
} from '@/lib/contract/redaction';

/** A change made by another process is in force here within this time. One made by this process is at once. */
export const REDACTION_FRESH_MS = 2_000;
const QUEUES_MAX = 10_000;
const READ_AT_ONCE = 16;

interface Entry {
  redaction: Redaction | null;
  readAtMs: number;
  reading: Promise<Redaction> | null;
}
const cached = perContext(() => new LRUCache<string, Entry>({ max: QUEUES_MAX }));

/** @param elsewhere another shard of the queue, asked when the first does not answer @throws RedriveError when neither can be read */
export function readRedaction(ctx: BrokerContext, queue: string, elsewhere?: string): Promise<Redaction> {
  ctx.checkQueue(queue);
  const entry = entryOf(ctx, queue);
  if (entry.redaction && performance.now() - entry.readAtMs < REDACTION_FRESH_MS)
    return Promise.resolve(entry.redaction);
  const askedAtMs = performance.now();
  entry.reading ??= read(ctx, queue)
    .then((rules) => {
      entry.readAtMs = askedAtMs;
      // The same rules stay the same object: what was made of them is not made again.
      if (entry.redaction === null || !sameRules(entry.redaction.rules, rules))
        entry.redaction = redactionOf(rules);
      return entry.redaction;
    })
    .finally(() => {
      entry.reading = null;
    });
  if (elsewhere === undefined || elsewhere === queue) return entry.reading;
  return entry.reading.catch(async () => redactionOf(await read(ctx, elsewhere)));
}

/** The rules of several queues. @throws RedriveError when one cannot be read */
export async function readRedactions(
  ctx: BrokerContext,
  queues: readonly string[],
): Promise<ReadonlyMap<string, Redaction>> {
  const found = new Map<string, Redaction>();
  await forEachLimited([...new Set(queues)], READ_AT_ONCE, async (queue) => {
    found.set(queue, await readRedaction(ctx, queue));
  });
  return found;
}

/** After the settings of a queue were changed from here. */
export function forgetRedaction(ctx: BrokerContext, queue: string): void {
  cached.of(ctx).delete(queue);
}

/** When the data of this Redis are gone. */
export const forgetRedactions = cached.forget;

const sameRules = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((rule, i) => rule === b[i]);

function entryOf(ctx: BrokerContext, queue: string): Entry {
  const cache = cached.of(ctx);
  const entry = cache.get(queue) ?? { redaction: null, readAtMs: Number.NEGATIVE_INFINITY, reading: null };
  cache.set(queue, entry);
  return entry;
}

/** Rules that are larger than Redrive writes count as unreadable: then all values are hidden. */
const RULES_BOUND = { eachBytes: 262_144, allBytes: 262_144 };

async function read(ctx: BrokerContext, name: string): Promise<readonly string[]> {
  const [text] = await readFields(ctx, { queue: name, index: 'config' }, ['redact'], RULES_BOUND);
  if (text === null) return REDACTION_DEFAULT;
  const rules = redactionRulesSchema.safeParse(parseJson(text));
  // Rules are checked when they are written. What somebody planted past the broker says that something is to be hidden, and not what.
  return rules.success ? rules.data : [HIDE_ALL];
}

export interface RedactedPayload extends RedactedText {
  /** False: bytes that are no text, given as base64. */
  readonly isText: boolean;
}

/** A payload as it may be shown. Bytes that are no text are hidden as a whole where a rule's word stands in them. */
export function redactPayload(payload: Buffer, redaction: Redaction): RedactedPayload {
  if (isUtf8(payload)) return { ...redactText(payload.toString('utf8'), redaction), isText: true };
  if (redaction.whole || mentions(redaction, payload.toString('latin1')))
    return { ...redactText('x', HIDING_ALL), isText: true };
  return { text: payload.toString('base64'), hidden: 0, masked: 0, isText: false };
}
const HIDING_ALL = redactionOf([HIDE_ALL]);

/** What a job's errors and result say, without what they repeat of its payload's hidden values. */
export interface TextRedactor {
  text<T extends string | null>(text: T): T;
  json<T extends string | null>(text: T): T;
}

/** Looks for hidden values only when a text is asked for. @param payload of the job; null: lost, so all of its texts count as hidden */
export function textRedactor(payload: Buffer | null, redaction: Redaction): TextRedactor {
  let values: HiddenValues | null | undefined;
  const known = () => {
    if (values === undefined)
      values =
        payload === null || payload.length > SEARCHED_MAX_BYTES
          ? UNKNOWN_VALUES
          : hiddenValuesOf(textOf(payload, redaction), redaction);
    return values;
  };
  const open = hidesNothing(redaction);
  const shown =
    (redact: (text: string, values: HiddenValues | null) => string) =>
    <T extends string | null>(text: T): T =>
      (text === null || text === '' || open ? text : redact(text, known())) as T;
  return { text: shown(withoutHiddenValues), json: shown(jsonWithoutHiddenValues) };
}

/** The broker takes 64 KiB. A longer payload was written past it, and is not searched. */
const SEARCHED_MAX_BYTES = 256 * 1024;
const UNKNOWN_VALUES: HiddenValues = { tooMany: true, words: new Set(), phrases: [], long: [] };

/** As a handler reads it. Bytes that are no text have hidden values only where they are hidden as a whole. */
const textOf = (payload: Buffer, redaction: Redaction): string =>
  isUtf8(payload) || redaction.whole || mentions(redaction, payload.toString('latin1'))
    ? payload.toString('utf8')
    : '';
