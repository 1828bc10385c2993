/**
 * What is hidden of the payloads of a queue: its rules, as last read. What is older than a moment is never used, for it could show what
 * is to be hidden by now; and without an answer nothing is shown.
 */
import { isUtf8 } from 'node:buffer';
import {
  HIDE_ALL,
  type HiddenValues,
  hiddenValuesOf,
  hidesNothing,
  jsonWithoutHiddenValues,
  mentions,
  REDACTION_DEFAULT,
  type Redacted,
  type Redaction,
  redactionOf,
  redactionRulesSchema,
  redactText,
  withoutHiddenValues,
} from '@/lib/contract/redaction';
import type { BrokerContext } from './context';
import { inLanes } from './sharded/fan-out';

/** A change made by another process is in force here within this time. One made by this process is at once. */
export const REDACTION_FRESH_MS = 2_000;
const QUEUES_MAX = 10_000;
const READ_AT_ONCE = 16;

interface Entry {
  redaction: Redaction | null;
  readAtMs: number;
  reading: Promise<Redaction> | null;
}
const caches = new WeakMap<BrokerContext, Map<string, Entry>>();

/**
 * @param elsewhere another shard of the queue, which has the same settings: asked when the first one does not answer
 * @throws RedriveError when neither can be read
 */
export function redactionIn(ctx: BrokerContext, queue: string, elsewhere?: string): Promise<Redaction> {
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

/** Those of several queues. @throws RedriveError when one cannot be read */
export async function redactionsIn(
  ctx: BrokerContext,
  queues: readonly string[],
): Promise<ReadonlyMap<string, Redaction>> {
  const found = new Map<string, Redaction>();
  await inLanes([...new Set(queues)], READ_AT_ONCE, async (queue) => {
    found.set(queue, await redactionIn(ctx, queue));
  });
  return found;
}

/** After the settings of a queue were changed from here. */
export function forgetRedaction(ctx: BrokerContext, queue: string): void {
  caches.get(ctx)?.delete(queue);
}

/** When the data of this Redis are gone. */
export const forgetRedactions = (ctx: BrokerContext): void => {
  caches.delete(ctx);
};

const sameRules = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((rule, i) => rule === b[i]);

function entryOf(ctx: BrokerContext, queue: string): Entry {
  const cache = caches.get(ctx) ?? new Map<string, Entry>();
  caches.set(ctx, cache);
  const known = cache.get(queue);
  if (known) return known;
  const entry: Entry = { redaction: null, readAtMs: Number.NEGATIVE_INFINITY, reading: null };
  for (const oldest of cache.keys()) {
    if (cache.size < QUEUES_MAX) break;
    cache.delete(oldest);
  }
  cache.set(queue, entry);
  return entry;
}

async function read(ctx: BrokerContext, name: string): Promise<readonly string[]> {
  const text = await ctx.plain((redis) => redis.hget(ctx.keys.column(name, 'config'), 'redact'));
  if (text === null) return REDACTION_DEFAULT;
  const rules = redactionRulesSchema.safeParse(jsonOf(text));
  // Rules are checked when they are written. What somebody planted past the broker says that something is to be hidden, and not what.
  return rules.success ? rules.data : [HIDE_ALL];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export interface ShownPayload extends Redacted {
  /** False: bytes that are no text, given as base64. */
  readonly isText: boolean;
}

/** A payload as it may be shown. Bytes that are no text are hidden as a whole where a rule's word stands in them. */
export function shownPayload(payload: Buffer, redaction: Redaction): ShownPayload {
  if (isUtf8(payload)) return { ...redactText(payload.toString('utf8'), redaction), isText: true };
  if (redaction.whole || mentions(redaction, payload.toString('latin1')))
    return { ...redactText('x', HIDING_ALL), isText: true };
  return { text: payload.toString('base64'), hidden: 0, masked: 0, isText: false };
}
const HIDING_ALL = redactionOf([HIDE_ALL]);

/** What a job's errors and result say, without what they repeat of its payload's hidden values. */
export interface ShownTexts {
  text<T extends string | null>(text: T): T;
  json<T extends string | null>(text: T): T;
}

/**
 * Looks for hidden values when a text is first asked for: most jobs have none of either.
 * @param payload of the job the texts are about; null: it is lost, so nothing tells what of a text is hidden
 */
export function shownTexts(payload: Buffer | null, redaction: Redaction): ShownTexts {
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

/** The broker takes 64 KiB. What is longer was written past it, and is not read for its values. */
const SEARCHED_MAX_BYTES = 256 * 1024;
const UNKNOWN_VALUES: HiddenValues = { tooMany: true, words: new Set(), phrases: [], long: [] };

/** As a handler reads it. Bytes that are no text have hidden values only where they are hidden as a whole. */
const textOf = (payload: Buffer, redaction: Redaction): string =>
  isUtf8(payload) || redaction.whole || mentions(redaction, payload.toString('latin1'))
    ? payload.toString('utf8')
    : '';
