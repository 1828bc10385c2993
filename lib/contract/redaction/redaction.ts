/**
 * Parsed rules: do they hide a member of this name, this position, or anything in a text at all. Names and steps are compared as texts;
 * user input never becomes a regular expression.
 */
import { foldCase } from './fold-case';
import { HIDE_ALL } from './redaction-default';

export interface NameRule {
  /** Folded, without its stars. */
  readonly core: string;
  readonly openStart: boolean;
  readonly openEnd: boolean;
}
/** A path rule, and how many of its steps led here. */
interface Way {
  readonly path: readonly string[];
  readonly at: number;
}
/** A position in a payload, as path rules see it. */
export type RulePositions = readonly Way[];

export interface Redaction {
  readonly rules: readonly string[];
  /** The whole payload is hidden. */
  readonly whole: boolean;
  readonly names: readonly NameRule[];
  readonly paths: readonly (readonly string[])[];
  /**
   * One of these stands in every text in which something is hidden, once the text is folded and unless it is written with
   * backslashes. An empty one stands in every text. None: nothing is ever hidden.
   */
  readonly words: readonly string[];
  /** Ways from the top of a payload. */
  readonly top: RulePositions;
  /** Results by name: payloads repeat the same few names. */
  readonly judged: Map<string, boolean>;
}

const NAMES_REMEMBERED = 5_000;

/** Case, `-` and `_` aside. Letter by letter, so that what holds for a name holds for any text it stands in. */
export const foldName = (text: string): string => foldCase(text.replace(/[-_]+/g, ''));

const INDEX = /^(?:0|[1-9][0-9]{0,8})$/;
export const isIndex = (step: string): boolean => INDEX.test(step);

/** The steps of a JSON pointer: `~1` is a slash, `~0` a tilde. None for the whole. */
export const pointerSteps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** A step of a path that every text with a match contains: a plain member name. */
function wordOf(path: readonly string[]): string {
  const name = path.findLast((step) => step !== '*' && !isIndex(step));
  return name === undefined || /["\\\p{Cc}]/u.test(name) ? '' : foldName(name);
}

export const nameRule = (rule: string): NameRule => ({
  core: foldName(rule.replaceAll('*', '')),
  openStart: rule.startsWith('*'),
  openEnd: rule.endsWith('*'),
});

export function redactionOf(rules: readonly string[]): Redaction {
  const names: NameRule[] = [];
  const paths: string[][] = [];
  for (const rule of rules)
    if (rule === HIDE_ALL) continue;
    else if (rule.startsWith('/')) paths.push(pointerSteps(rule));
    else names.push(nameRule(rule));
  const whole = rules.includes(HIDE_ALL);
  const words = whole ? [''] : [...names.map(({ core }) => core), ...paths.map(wordOf)];
  return {
    rules,
    whole,
    names,
    paths,
    words: words.includes('') ? [''] : [...new Set(words)],
    top: paths.map((path) => ({ path, at: 0 })),
    judged: new Map(),
  };
}

/** Hides nothing. */
export const NO_REDACTION: Redaction = redactionOf([]);
export const hidesNothing = ({ words }: Redaction): boolean => words.length === 0;

/** @param name folded */
export function fitsName({ core, openStart, openEnd }: NameRule, name: string): boolean {
  if (openStart && openEnd) return name.includes(core);
  if (openStart) return name.endsWith(core);
  return openEnd ? name.startsWith(core) : name === core;
}

export function hidesName({ names, judged }: Redaction, name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const folded = foldName(name);
  const hidden = names.some((rule) => fitsName(rule, folded));
  if (judged.size < NAMES_REMEMBERED) judged.set(name, hidden);
  return hidden;
}

const NOWHERE: RulePositions = [];

/** The positions behind one step: a member, or an entry of a list. Null: its value is hidden. */
export function stepInto(ways: RulePositions, step: string): RulePositions | null {
  if (ways.length === 0) return NOWHERE;
  const next: Way[] = [];
  for (const { path, at } of ways) {
    if (path[at] !== '*' && path[at] !== step) continue;
    if (at + 1 === path.length) return null;
    next.push({ path, at: at + 1 });
  }
  return next;
}

/** Whether a rule's word stands in the text, so that something in it may be hidden. */
export function mentions({ words }: Redaction, text: string): boolean {
  if (words.length === 0) return false;
  if (words[0] === '') return true;
  const plain = foldName(text);
  return words.some((word) => plain.includes(word));
}
