/**
 * The grammar of docs/search.md as a program: it tells whether a text is a query, takes it apart, and makes up queries. It shares no
 * code with lib/contract/query, so that each proves the other.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ERROR_CLASSES } from '@/lib/contract/jobs/error-classes';

type Expr =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'pattern'; readonly source: string }
  | { readonly kind: 'seq' | 'alt'; readonly of: readonly Expr[] }
  | { readonly kind: 'opt' | 'rep'; readonly of: Expr }
  | { readonly kind: 'but'; readonly of: Expr; readonly not: readonly Expr[] };

/** A part of a query: the rule it follows (a literal's own text for none), and the parts it has. */
export interface Part {
  readonly rule: string;
  readonly text: string;
  readonly parts: readonly Part[];
}

const SPACED = /^(query|any|all|unary|names|classes|groups|references|sizes|ages|values)$/;
const ENDED = /^(word|text|name|class|group|reference|size|age|value)$/;
const KEYWORD = /^(AND|OR|NOT)$/;
const isSpace = (char: string | undefined) => char !== undefined && (char <= ' ' || /\s/.test(char));

const RULES = readRules();

function readRules(): ReadonlyMap<string, Expr> {
  const page = readFileSync(join(import.meta.dirname, '../..', 'docs', 'search.md'), 'utf8');
  const source = /```ebnf\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const tokens = [...source.matchAll(/"[^"\n]+"|'[^'\n]+'|\? .+? \?(?=\s)|[a-z]+|[=,|;[\]{}()-]/g)].map(
    ([token]) => token,
  );
  let at = 0;
  const take = (wanted?: string): string => {
    const token = tokens[at++] ?? '';
    if (wanted !== undefined && token !== wanted)
      throw new Error(`docs/search.md: ${wanted} is missing before ${token}`);
    return token;
  };
  const one = (): Expr => {
    const token = take();
    if (token === '(') return closed(')');
    if (token === '[') return { kind: 'opt', of: closed(']') };
    if (token === '{') return { kind: 'rep', of: closed('}') };
    if (token.startsWith('?')) return { kind: 'pattern', source: token.slice(2, -2) };
    if (/^["']/.test(token)) return { kind: 'literal', text: token.slice(1, -1) };
    return { kind: 'rule', name: token };
  };
  const closed = (end: string): Expr => {
    const of = alternatives();
    take(end);
    return of;
  };
  const item = (): Expr => {
    const of = one();
    const not: Expr[] = [];
    while (tokens[at] === '-') {
      take();
      not.push(one());
    }
    return not.length > 0 ? { kind: 'but', of, not } : of;
  };
  const sequence = (): Expr => {
    const of = [item()];
    while (tokens[at] === ',') {
      take();
      of.push(item());
    }
    return { kind: 'seq', of };
  };
  const alternatives = (): Expr => {
    const of = [sequence()];
    while (tokens[at] === '|') {
      take();
      of.push(sequence());
    }
    return { kind: 'alt', of };
  };
  const rules = new Map<string, Expr>();
  while (at < tokens.length) {
    const name = take();
    take('=');
    rules.set(name, alternatives());
    take(';');
  }
  return rules;
}

const ruleNamed = (name: string): Expr => {
  const rule = RULES.get(name);
  if (!rule) throw new Error(`docs/search.md has no rule ${name}`);
  return rule;
};

const START = 'the beginning of a class';
const STARTS = [...new Set(ERROR_CLASSES.flatMap((kind) => [...kind].map((_, i) => kind.slice(0, i + 1))))];
const patternOf = (source: string): string =>
  source === START
    ? STARTS.toSorted((a, b) => b.length - a.length).join('|')
    : source.replaceAll('[^ ', '[^\\u0000-\\u0020\\s');

interface Match {
  readonly to: number;
  readonly parts: readonly Part[];
}

/** The query taken apart; null: it is none. */
export function takeApart(text: string): Part | null {
  const known = new Map<string, readonly Match[]>();
  const skip = (at: number): number => {
    let to = at;
    while (isSpace(text[to])) to += 1;
    return to;
  };
  const rule = (name: string, at: number): readonly Match[] => {
    const key = `${name} ${at}`;
    const before = known.get(key);
    if (before) return before;
    const spaced = SPACED.test(name);
    const found = match(ruleNamed(name), at, (pos) => (spaced && pos > at ? skip(pos) : pos))
      .filter(({ to }) => !ENDED.test(name) || to === text.length || isSpace(text[to]) || text[to] === ')')
      .filter(({ parts }) => !isReversed(name, parts))
      .map(({ to, parts }) => ({ to, parts: [{ rule: name, text: text.slice(at, to), parts }] }));
    known.set(key, found);
    return found;
  };
  /** @param gap where the next part begins: behind white space, where a rule allows that */
  const match = (expr: Expr, from: number, gap: (pos: number) => number): readonly Match[] => {
    switch (expr.kind) {
      case 'literal': {
        const at = gap(from);
        const to = at + expr.text.length;
        if (!text.startsWith(expr.text, at)) return [];
        if (
          KEYWORD.test(expr.text) &&
          to < text.length &&
          !isSpace(text[to]) &&
          !'()"'.includes(text[to] ?? '')
        )
          return [];
        return [{ to, parts: [{ rule: expr.text, text: expr.text, parts: [] }] }];
      }
      case 'rule':
        return rule(expr.name, gap(from));
      case 'pattern': {
        const pattern = new RegExp(`(?:${patternOf(expr.source)})`, 'sy');
        pattern.lastIndex = gap(from);
        const found = pattern.exec(text);
        return found ? [{ to: pattern.lastIndex, parts: [] }] : [];
      }
      case 'but':
        return match(expr.of, from, gap).filter(
          ({ to }) => !expr.not.some((not) => isWhole(not, text.slice(from, to))),
        );
      case 'alt':
        return firstOfEach(expr.of.flatMap((part) => match(part, from, gap)));
      case 'seq':
        return expr.of.reduce<readonly Match[]>(
          (so, part) =>
            firstOfEach(
              so.flatMap((one) =>
                match(part, one.to, gap).map(({ to, parts }) => ({ to, parts: [...one.parts, ...parts] })),
              ),
            ),
          [{ to: from, parts: [] }],
        );
      case 'opt':
        return firstOfEach([...match(expr.of, from, gap), { to: from, parts: [] }]);
      case 'rep': {
        const all: Match[] = [{ to: from, parts: [] }];
        for (let i = 0; i < all.length; i += 1) {
          const one = all[i];
          if (!one) break;
          for (const { to, parts } of match(expr.of, one.to, gap))
            if (!all.some((other) => other.to === to)) all.push({ to, parts: [...one.parts, ...parts] });
        }
        return all;
      }
    }
  };
  const start = skip(0);
  return rule('query', start).find(({ to }) => skip(to) === text.length)?.parts[0] ?? null;
}

const firstOfEach = (found: readonly Match[]): readonly Match[] =>
  found.filter((one, i) => found.findIndex(({ to }) => to === one.to) === i);

/** Rules that an exception names are patterns, or name one. */
function isWhole(expr: Expr, text: string): boolean {
  if (expr.kind === 'rule') return isWhole(ruleNamed(expr.name), text);
  if (expr.kind === 'alt' || expr.kind === 'seq') return expr.of.some((part) => isWhole(part, text));
  if (expr.kind !== 'pattern') throw new Error('An exception in docs/search.md is no pattern.');
  return new RegExp(`^(?:${patternOf(expr.source)})$`, 's').test(text);
}

function isReversed(rule: string, parts: readonly Part[]): boolean {
  if (!/^(size|age|value)$/.test(rule) || !parts.some((part) => part.rule === '..')) return false;
  const [from, to] = parts.filter((part) => /^(number|duration|decimal)$/.test(part.rule));
  return from !== undefined && to !== undefined && quantity(from.text) > quantity(to.text);
}

const UNIT_MS = { ms: 1n, s: 1_000n, m: 60_000n, h: 3_600_000n, d: 86_400_000n, w: 604_800_000n };
const SCALE = 500n;
/** A number or an age (in ms), as a whole number that keeps its order: all digits count. */
export function quantity(text: string): bigint {
  const [, sign = '', whole = '', fraction = '', power = '0', unit = 'ms'] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?(ms|s|m|h|d|w)?$/.exec(text) ?? [];
  const exponent = SCALE + BigInt(power) - BigInt(fraction.length);
  // Larger exponents than this no test makes up.
  const size = BigInt(whole + fraction) * UNIT_MS[unit as keyof typeof UNIT_MS];
  return (sign === '-' ? -size : size) * 10n ** (exponent < 0n ? 0n : exponent > 2_000n ? 2_000n : exponent);
}

/** Words that jobs of the tests have, so that queries find some. */
const POOL: Readonly<Record<string, readonly string[]>> = {
  letters: ['demo', 'mail.send', 'acme', 'j1', 'BROKEN', 'HTTP_503', 'a..b'],
  digits: ['0123456789ab', '0', 'AB'],
  token: ['k-1', 'c:1', 'a..b'],
  printable: ['k-1', 'a..b', '>x'],
  start: STARTS,
  number: ['0', '1', '2', '3', '-5', '10'],
  duration: ['0s', '1ms', '5s', '1m', '2h', '7d'],
  decimal: ['0', '1', '42', '42.0', '4.2e1', '-1', '9007199254740992', '9007199254740993'],
  bare: ['42', 'a', 'red', 'true', 'null', 'a/b', '9007199254740993'],
  run: ['42', '<a', 'red'],
  step: ['a', 'b', '0', 'total', '"odd key"'],
  quoted: ['"a..b"', '"42"', '""', '"a b"', '"\\""'],
  text: ['"a b"', '"failed with"', '"red"', '"..'.concat('"')],
  word: ['red', 'failed', 'J1', '42', '1..2'],
};
const RECURSIVE = /^(unary|minus|any)$/;

/** Queries that follow the grammar; `depth` says how deep they nest at most. */
export function queriesOf(depth = 3): fc.Arbitrary<string> {
  const known = new Map<string, fc.Arbitrary<string>>();
  const rule = (name: string, left: number): fc.Arbitrary<string> => {
    const key = `${name} ${left}`;
    const before = known.get(key);
    if (before) return before;
    const made = make(ruleNamed(name), name, name === 'unary' ? left - 1 : left);
    const pool = POOL[name];
    const some = pool ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...pool) }, made) : made;
    known.set(key, some);
    return some;
  };
  const joined = (parts: readonly string[], spaced: boolean): string =>
    parts
      .filter((part) => part !== '')
      .reduce((so, part) => (so === '' ? part : so + (spaced ? ' ' : '') + part), '');
  const make = (expr: Expr, inside: string, left: number): fc.Arbitrary<string> => {
    const spaced = SPACED.test(inside);
    switch (expr.kind) {
      case 'literal':
        return fc.constant(expr.text);
      case 'rule':
        return rule(expr.name, left);
      case 'pattern':
        return expr.source === START
          ? fc.constantFrom(...STARTS)
          : fc
              .stringMatching(new RegExp(`^(?:${patternOf(expr.source)})$`))
              .filter((text) => text.isWellFormed());
      case 'but':
        return make(expr.of, inside, left);
      case 'alt': {
        const deep = (part: Expr): boolean =>
          part.kind === 'rule' ? RECURSIVE.test(part.name) : part.kind === 'seq' && part.of.some(deep);
        const some = inside === 'unary' && left <= 0 ? expr.of.filter((part) => !deep(part)) : expr.of;
        return fc.oneof(
          ...some.map((part) => ({
            weight: inside === 'unary' && !deep(part) ? 4 : 1,
            arbitrary: make(part, inside, left),
          })),
        );
      }
      case 'seq':
        return fc
          .tuple(...expr.of.map((part) => make(part, inside, left)))
          .map((parts) => joined(parts, spaced));
      case 'opt':
        return fc.oneof(make(expr.of, inside, left), fc.constant(''));
      case 'rep':
        return fc.array(make(expr.of, inside, left), { maxLength: 2 }).map((parts) => joined(parts, spaced));
    }
  };
  return rule('query', depth).filter((text) => text.length < 400 && takeApart(text) !== null);
}
