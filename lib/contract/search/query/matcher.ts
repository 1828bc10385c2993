/**
 * What a filter means, in TypeScript: whether a job matches, judged in memory. Redis judges in Lua (lib/broker/search) and gives the
 * same answer; query-meaning.redis.test.ts holds the two together.
 */
import { asciiLower } from '@/lib/contract/redaction/fold-case';
import { compareDecimals, parseDecimal } from './decimal';
import type { Comparison, Filter, JobFacts, NameField } from './filter';
import { payloadTexts } from './payload-texts';
import { parseTaggedJson, type TaggedJson, valuesAt } from './payload-values';

/** A field left out is not known; null: the job has none. */
type KnownFacts = Partial<JobFacts>;
/** Null: the known facts do not decide it. */
type Matcher = (facts: KnownFacts) => boolean | null;

type Condition<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;
type Composite = 'all' | 'and' | 'or' | 'not';

/** @param now what ages count back from */
export const matches = (filter: Filter, facts: JobFacts, now: number): boolean =>
  createMatcher(filter, now)(facts) === true;

/** @param now what ages count back from */
export function createMatcher(filter: Filter, now: number): Matcher {
  switch (filter.kind) {
    case 'all':
      return () => true;
    case 'and':
      return joined(
        filter.of.map((part) => createMatcher(part, now)),
        false,
      );
    case 'or': {
      const { lists, others } = nameListsIn(filter.of);
      return joined([...lists.map(listMatcher), ...others.map((part) => createMatcher(part, now))], true);
    }
    case 'not': {
      const inner = createMatcher(filter.of, now);
      return (facts) => {
        const fits = inner(facts);
        return fits === null ? null : !fits;
      };
    }
    default:
      return conditionMatcher(filter, now);
  }
}

/** @param decisive the answer of one part that decides for all: true in an OR, false in an AND */
function joined(parts: readonly Matcher[], decisive: boolean): Matcher {
  return (facts) => {
    let unsure = false;
    for (const part of parts) {
      const fits = part(facts);
      if (fits === decisive) return decisive;
      if (fits === null) unsure = true;
    }
    return unsure ? null : !decisive;
  };
}

function conditionMatcher(filter: Exclude<Filter, Condition<Composite>>, now: number): Matcher {
  switch (filter.kind) {
    case 'name': {
      const { field, value, prefix } = filter;
      const byPrefix = prefix || field === 'group';
      return known(field, (has) => (byPrefix ? has.startsWith(value) : has === value));
    }
    case 'number': {
      const { field, value, compare } = filter;
      return known(field, (has) => COMPARE[compare](has - value));
    }
    case 'age': {
      const { ms, compare } = filter;
      return known('enteredAt', (has) => COMPARE[compare](now - has - ms));
    }
    case 'payload':
      return payloadMatcher(filter);
    case 'text': {
      const wanted = asciiLower(filter.value);
      return (facts) => {
        if (facts.payload === undefined) return null;
        if (searchedTexts(facts).some((text) => text.includes(wanted))) return true;
        return SEARCHED_FIELDS.some((field) => facts[field] === undefined) ? null : false;
      };
    }
  }
}

const known =
  <Field extends keyof JobFacts>(
    field: Field,
    fits: (has: NonNullable<JobFacts[Field]>) => boolean,
  ): Matcher =>
  (facts) => {
    const has = facts[field];
    return has === undefined ? null : has !== null && fits(has as NonNullable<JobFacts[Field]>);
  };

const LIST_FIELDS = ['type', 'tenant', 'code', 'class', 'id'] as const satisfies readonly NameField[];
export interface NameList {
  readonly field: (typeof LIST_FIELDS)[number];
  readonly values: readonly string[];
}
/** Fewer are quicker one by one. */
const LIST_MIN = 4;

/** Of an OR: fields compared with many whole names, each as one list. A scope can name a thousand tenants. */
export function nameListsIn(parts: readonly Filter[]): { lists: NameList[]; others: Filter[] } {
  const lists = LIST_FIELDS.flatMap((field): NameList[] => {
    const values = parts.flatMap((part) => (isWhole(part, field) ? [part.value] : []));
    return values.length < LIST_MIN ? [] : [{ field, values }];
  });
  return {
    lists,
    others: parts.filter((part) => !lists.some(({ field }) => isWhole(part, field))),
  };
}

const isWhole = (part: Filter, field: NameField): part is Condition<'name'> =>
  part.kind === 'name' && part.field === field && !part.prefix;

function listMatcher({ field, values }: NameList): Matcher {
  const wanted = new Set(values);
  return known(field, (has) => wanted.has(has));
}

const COMPARE: Readonly<Record<Comparison, (difference: number) => boolean>> = {
  '=': (difference) => difference === 0,
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
};

/** Read once a job, however many conditions look at it. */
const derived = new WeakMap<
  KnownFacts,
  { json?: { value: TaggedJson | undefined }; lower?: readonly string[] }
>();
function derivedOf(facts: KnownFacts) {
  const of = derived.get(facts) ?? {};
  derived.set(facts, of);
  return of;
}

const SEARCHED_FIELDS = ['payload', 'id', 'type', 'code', 'message'] as const;
function searchedTexts(facts: KnownFacts): readonly string[] {
  const of = derivedOf(facts);
  of.lower ??= SEARCHED_FIELDS.flatMap((field) => {
    const text = facts[field] ?? '';
    return (field === 'payload' ? payloadTexts(text) : [text]).map(asciiLower);
  });
  return of.lower;
}

function payloadMatcher({ path, compare, value: wanted, prefix, upTo }: Condition<'payload'>): Matcher {
  const first = parseDecimal(wanted);
  const last = upTo === undefined ? null : parseDecimal(upTo);
  const fits = (value: TaggedJson): boolean => {
    // `payload.a:*` asks whether there is such a value, be it a list or an object.
    if (prefix && wanted === '') return true;
    if (typeof value === 'object' && value !== null) return false;
    const text = typeof value === 'string' ? value.slice(1) : String(value);
    if (prefix) return text.startsWith(wanted);
    if (typeof value !== 'string' || !value.startsWith('n')) return compare === '=' && text === wanted;
    const number = first && parseDecimal(text);
    return (
      number !== null &&
      first !== null &&
      COMPARE[compare](compareDecimals(number, first)) &&
      (last === null || compareDecimals(number, last) <= 0)
    );
  };
  return (facts) => {
    if (facts.payload === undefined) return null;
    if (facts.payload === null) return false;
    const of = derivedOf(facts);
    of.json ??= { value: parseTaggedJson(facts.payload) };
    if (of.json.value === undefined) return false;
    for (const value of valuesAt(of.json.value, path)) if (fits(value)) return true;
    return false;
  };
}
