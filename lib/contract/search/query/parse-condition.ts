/** The condition of a field and its value (two for a range), or the error. */
import { ERROR_CLASSES } from '@/lib/contract/jobs/error-classes';
import { NAME_MAX_CHARS, NAME_PATTERN } from '@/lib/contract/name-pattern';
import { compareDecimals, parseDecimal } from './decimal';
import { FIELDS, isNameField, isNumberField, nearest } from './field-names';
import type { Comparison, Filter, NameField } from './filter';
import type { FieldToken, QueryFault, QuerySpan, ValueToken } from './lex-query';
import { parseAge } from './parse-age';
import { isBareValue, quote, RANGE_DOTS } from './query-syntax';

/** A problem of the value, unless `at` says what else is wrong. */
export type Condition = Filter | Bad;
type Bad = QueryFault & { readonly kind: 'bad'; readonly at?: QuerySpan };

const REFERENCE_MAX_CHARS = 200;
const REFERENCES: ReadonlySet<string> = new Set(['key', 'correlation', 'trace']);
const WHOLE_NUMBER = /^-?[0-9]{1,16}$/;

const bad = (message: string, suggestion: string | null = null, at?: QuerySpan): Bad => ({
  kind: 'bad',
  message,
  suggestion,
  at,
});
const starred = (text: string, star: boolean): string => (star ? `${text}*` : text);
const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

export function parseCondition(field: FieldToken, value: ValueToken, query: string): Condition {
  const { name, path } = field;
  if (path !== null) return payload(path, value);
  if (isNameField(name)) return nameCondition(name, value);
  if (isNumberField(name))
    return ordered(name, value, wholeNumber, (compare, number) => ({
      kind: 'number',
      field: name,
      compare,
      value: number,
    }));
  if (name === 'age') {
    if (value.compare === null && !value.text.includes('..') && parseAge(value.text) !== null)
      return bad(`Say whether older (age:>${value.text}) or younger (age:<${value.text})`, `>${value.text}`);
    return ordered('age', value, parseAge, (compare, ms) => ({ kind: 'age', compare, ms }));
  }
  return unknownField(field, query, value);
}

export function unknownField(field: FieldToken, query: string, value?: ValueToken): Condition {
  const { name } = field;
  const at = { from: field.from, to: field.to - 1 };
  if (name === 'payload') {
    const message =
      'Say which value of the payload, as in payload.order.id:42, or leave "payload:" out to look everywhere';
    return value
      ? bad(message, isBareValue(value.text) ? value.text : quote(value.text), {
          from: field.from,
          to: value.to,
        })
      : bad(message, null, at);
  }
  const [first = ''] = name.split('.', 1);
  const dotted = name.length > first.length;
  const near = nearest(first, dotted ? ['payload'] : FIELDS);
  const what = `There is no field "${shown(name)}"`;
  if (near !== null) return bad(what, `${near}${name.slice(first.length)}`, at);
  if (dotted && first !== '')
    return bad(`${what}; a value in the payload begins with "payload."`, `payload.${name}`, at);
  const whole = { from: field.from, to: value?.to ?? field.to };
  return bad(
    `${what}; there are ${FIELDS.join(', ')}. Put quotes around text that holds a colon`,
    quote(query.slice(whole.from, whole.to)),
    whole,
  );
}

function nameCondition(field: NameField, value: ValueToken): Condition {
  const { compare, quoted, star: prefix } = value;
  let { text } = value;
  if (!quoted && text.includes(RANGE_DOTS))
    return bad(
      `${field} has no order, so it has no ranges; a value with "${RANGE_DOTS}" inside goes in quotes`,
      starred(quote(text), prefix),
    );
  if (compare !== null) {
    const isReference = REFERENCES.has(field);
    const whole = compare + text;
    return bad(
      `${field} is compared as a whole; < and > are for numbers and age`,
      isReference ? quote(whole) : isBareValue(text) ? starred(text, prefix) : null,
    );
  }
  if (text === '' && !prefix)
    return bad(
      quoted
        ? `${field} is never empty; for jobs without one write -${field}:*`
        : `Say what ${field} is to be`,
    );
  if (REFERENCES.has(field)) {
    const fits = text.length <= REFERENCE_MAX_CHARS && [...text].every((char) => char >= '!' && char <= '~');
    if (!fits)
      return bad(`${field} is at most ${REFERENCE_MAX_CHARS} printable ASCII characters, without spaces`);
  } else if (field === 'class') {
    const known: readonly string[] = ERROR_CLASSES;
    if (prefix ? !known.some((one) => one.startsWith(text)) : !known.includes(text))
      return bad(`There is no class "${shown(text)}"; there are ${known.join(', ')}`, nearest(text, known));
  } else if (field === 'group') {
    text = text.toLowerCase();
    if (text.length > 12 || ![...text].every((char) => '0123456789abcdef'.includes(char)))
      return bad(`"${shown(text)}" is no failure group: its id is twelve hex digits, or how they begin`);
    return { kind: 'name', field, value: text, prefix: text.length < 12 };
  } else if (text !== '' && !NAME_PATTERN.test(text))
    return bad(
      `No ${field} can be "${shown(text)}": such names start with a letter or digit and hold only letters, digits, "_", "." and "-", at most ${NAME_MAX_CHARS}`,
    );
  return { kind: 'name', field, value: text, prefix };
}

const wholeNumber = (text: string): number | null => {
  const number = WHOLE_NUMBER.test(text) ? Number(text) : null;
  return number !== null && Number.isSafeInteger(number) ? number + 0 : null;
};

/** A number or an age: compared, or in a range that holds both its ends. */
function ordered(
  field: string,
  value: ValueToken,
  read: (text: string) => number | null,
  make: (compare: Comparison, number: number) => Filter,
): Condition {
  const { text, star, quoted, compare } = value;
  const example =
    field === 'age' ? 'age:>1h, age:<=30m or age:1h..7d' : `${field}:3, ${field}:>=3 or ${field}:1..3`;
  const what = field === 'age' ? 'a whole number and a unit (s, m, h, d, w)' : 'a whole number';
  if (star) return bad(`${field} is compared by size, not by how it begins: ${example}`);
  if (!quoted && text.includes(RANGE_DOTS)) {
    const misfit = bad(`A range is two of ${what}: ${example}`);
    const range = rangeIn(value, read, (a, b) => a - b, misfit);
    if (range.kind === 'bad') return range;
    return { kind: 'and', of: [make('>=', range.from), make('<=', range.to)] };
  }
  const number = read(text);
  if (number === null) return bad(`${field} is ${what}: ${example}`);
  return make(compare ?? '=', number);
}

interface Range<T> {
  readonly kind: 'range';
  readonly from: T;
  readonly to: T;
  readonly texts: readonly [string, string];
}

/** The ends of a range, or its error. @param misfit the error for ends that cannot be read */
function rangeIn<T>(
  { text, compare }: ValueToken,
  read: (text: string) => T | null,
  order: (a: T, b: T) => number,
  misfit: Bad,
): Range<T> | Bad {
  const dots = text.indexOf(RANGE_DOTS);
  const texts = [text.slice(0, dots), text.slice(dots + RANGE_DOTS.length)] as const;
  const [from, to] = [read(texts[0]), read(texts[1])];
  if (from !== null && texts[1] === '')
    return bad(`A range has two ends; from ${texts[0]} on is >=${texts[0]}`, `>=${texts[0]}`);
  if (to !== null && texts[0] === '')
    return bad(`A range has two ends; up to ${texts[1]} is <=${texts[1]}`, `<=${texts[1]}`);
  if (from === null || to === null) return misfit;
  if (compare !== null) return bad(`A range has no ${compare} before it`, text);
  if (order(from, to) > 0) return bad('This range ends before it begins', `${texts[1]}..${texts[0]}`);
  return { kind: 'range', from, to, texts };
}

function payload(path: readonly string[], value: ValueToken): Condition {
  const { text, star: prefix, quoted } = value;
  if (!quoted && text.includes(RANGE_DOTS)) {
    const misfit = bad(
      `A range is of two numbers, as in payload.total:1..42; text with "${RANGE_DOTS}" inside goes in quotes`,
      starred(quote(text), prefix),
    );
    const range = prefix ? misfit : rangeIn(value, parseDecimal, compareDecimals, misfit);
    if (range.kind === 'bad') return range;
    return {
      kind: 'payload',
      path,
      compare: '>=',
      value: range.texts[0],
      prefix: false,
      upTo: range.texts[1],
    };
  }
  const compare = value.compare ?? '=';
  if (text === '' && !prefix && !quoted) return bad(`Say what the value is to be, as in payload.order.id:42`);
  if (compare !== '=' && (prefix || parseDecimal(text) === null))
    return bad(`${compare} compares numbers: payload.total:${compare}100`);
  return { kind: 'payload', path, compare, value: text, prefix };
}
