/** What a field makes of a value: one condition (two for a range), or why it cannot be one. */
import { ERROR_CLASSES } from '../failures';
import { NAME_MAX_CHARS, NAME_PATTERN } from '../names';
import { parseAge } from './age';
import { parseDecimal } from './decimal';
import { FIELDS, isNameField, isNumberField, nearest } from './fields';
import type { Comparison, Filter, NameField } from './filter';
import type { Field, Problem, Span, Value } from './lex';
import { isBareValue, quote } from './words';

/** A problem of the value, unless `at` says what else is wrong. */
export type Condition = Filter | (Problem & { readonly kind: 'bad'; readonly at?: Span });

const REFERENCE_MAX_CHARS = 200;
const REFERENCES: ReadonlySet<string> = new Set(['key', 'correlation', 'trace']);
const WHOLE_NUMBER = /^-?[0-9]{1,16}$/;

const bad = (message: string, suggestion: string | null = null, at?: Span): Condition => ({
  kind: 'bad',
  message,
  suggestion,
  at,
});
const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

export function condition(field: Field, value: Value, query: string): Condition {
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

export function unknownField(field: Field, query: string, value?: Value): Condition {
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

function nameCondition(field: NameField, value: Value): Condition {
  const { compare, quoted, star: prefix } = value;
  let { text } = value;
  if (compare !== null) {
    const isReference = REFERENCES.has(field);
    const whole = compare + text;
    return bad(
      `${field} is compared as a whole; < and > are for numbers and age`,
      isReference ? quote(whole) : isBareValue(text) ? text + (prefix ? '*' : '') : null,
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
  { text, star, compare }: Value,
  read: (text: string) => number | null,
  make: (compare: Comparison, number: number) => Filter,
): Condition {
  const example =
    field === 'age' ? 'age:>1h, age:<=30m or age:1h..7d' : `${field}:3, ${field}:>=3 or ${field}:1..3`;
  const what = field === 'age' ? 'a whole number and a unit (s, m, h, d, w)' : 'a whole number';
  if (star) return bad(`${field} is compared by size, not by how it begins: ${example}`);
  const dots = compare === null ? text.indexOf('..') : -1;
  if (dots >= 0) {
    const from = read(text.slice(0, dots));
    const to = read(text.slice(dots + 2));
    if (from === null || to === null) return bad(`A range is two of ${what}: ${example}`);
    if (from > to)
      return bad('This range ends before it begins', `${text.slice(dots + 2)}..${text.slice(0, dots)}`);
    return { kind: 'and', of: [make('>=', from), make('<=', to)] };
  }
  const number = read(text);
  if (number === null) return bad(`${field} is ${what}: ${example}`);
  return make(compare ?? '=', number);
}

function payload(path: readonly string[], value: Value): Condition {
  const { text, star: prefix, quoted } = value;
  const compare = value.compare ?? '=';
  if (text === '' && !prefix && !quoted) return bad(`Say what the value is to be, as in payload.order.id:42`);
  if (compare !== '=' && (prefix || parseDecimal(text) === null))
    return bad(`${compare} compares numbers: payload.total:${compare}100`);
  return { kind: 'payload', path, compare, value: text, prefix };
}
