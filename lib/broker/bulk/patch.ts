/**
 * A JSON patch (RFC 6902: add, remove, replace, test) applied to a payload's text. What the patch does not name keeps its
 * letters, digits beyond 2^53 included; the lists and objects around a change are written anew without spaces.
 * Pure: the preview of an edit shows what this gives, and the operation writes the same.
 */
import type { PatchStep } from '@/lib/contract/operations';
import { type Container, type Member, type Node, parseText, printText, stringOf } from './json-text';

export type Patched =
  | { readonly ok: true; readonly text: string }
  /** A sentence for people: which step does not fit, and why. */
  | { readonly ok: false; readonly problem: string };

export function applyPatch(payload: string, patch: readonly PatchStep[]): Patched {
  let root: Node;
  try {
    root = parseText(payload);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: `The payload is not JSON that can be edited: ${why}` };
  }
  for (const [i, step] of patch.entries()) {
    try {
      root = applied(root, step);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      return {
        ok: false,
        problem: `Step ${i + 1} (${step.op} ${JSON.stringify(step.path)}): ${error.message}.`,
      };
    }
  }
  return { ok: true, text: printText(root) };
}

/** The step does not fit this payload. */
class Misfit extends Error {}

function applied(root: Node, step: PatchStep): Node {
  const steps = stepsOf(step.path);
  const last = steps.pop();
  if (last === undefined) {
    if (step.op === 'remove') throw new Misfit('all of a payload cannot be removed; replace it');
    if (step.op !== 'test') return written(step.value);
    check(root, step.value);
    return root;
  }
  const way = containersTo(root, steps);
  const parent = way.at(-1);
  if (parent?.kind === 'object') inObject(parent, last, step);
  else if (parent) inArray(parent, last, step);
  // A test leaves all as it is.
  if (step.op !== 'test') for (const container of way) container.text = null;
  return root;
}

/** The steps of a JSON pointer: `~1` is a slash, `~0` a tilde. */
function stepsOf(path: string): string[] {
  if (path === '') return [];
  if (!path.startsWith('/')) throw new Misfit('a path is empty or begins with "/"');
  return path
    .slice(1)
    .split('/')
    .map((step) => {
      if (/~(?![01])/.test(step)) throw new Misfit('in a path "~" is written "~0" and "/" is written "~1"');
      return step.replaceAll('~1', '/').replaceAll('~0', '~');
    });
}

/** The objects and lists a path leads through, the one it ends in last. */
function containersTo(root: Node, steps: readonly string[]): Container[] {
  const way = [opened(root, '')];
  for (const step of steps) {
    const container = way[way.length - 1] as Container;
    const next = container.kind === 'object' ? memberOf(container, step).value : itemOf(container, step);
    way.push(opened(next, step));
  }
  return way;
}

function opened(node: Node, step: string): Container {
  if (node.kind !== 'scalar') return node;
  throw new Misfit(`${step === '' ? 'the payload' : JSON.stringify(step)} is neither an object nor a list`);
}

type ObjectNode = Extract<Container, { kind: 'object' }>;
type ArrayNode = Extract<Container, { kind: 'array' }>;

/** Of several members of one name the last counts, as for `JSON.parse`. */
function memberOf({ members }: ObjectNode, key: string): Member {
  const found = members.findLast((member) => member.key === key);
  if (!found) throw new Misfit(`there is no member ${JSON.stringify(key)}`);
  return found;
}

function inObject(parent: ObjectNode, key: string, step: PatchStep): void {
  switch (step.op) {
    case 'add': {
      const existing = parent.members.findLast((member) => member.key === key);
      if (existing) existing.value = written(step.value);
      else parent.members.push({ keyText: JSON.stringify(key), key, value: written(step.value) });
      return;
    }
    case 'replace':
      memberOf(parent, key).value = written(step.value);
      return;
    case 'remove':
      memberOf(parent, key);
      // All of that name: an earlier one would come to light otherwise.
      parent.members = parent.members.filter((member) => member.key !== key);
      return;
    case 'test':
      check(memberOf(parent, key).value, step.value);
  }
}

function inArray(parent: ArrayNode, step: string, { op, ...rest }: PatchStep): void {
  const value = 'value' in rest ? rest.value : null;
  if (op === 'add') {
    const at = step === '-' ? parent.items.length : indexOf(step, parent.items.length + 1);
    parent.items.splice(at, 0, written(value));
    return;
  }
  const at = indexOf(step, parent.items.length);
  if (op === 'replace') parent.items[at] = written(value);
  else if (op === 'remove') parent.items.splice(at, 1);
  else check(itemOf(parent, step), value);
}

function itemOf({ items }: ArrayNode, step: string): Node {
  return items[indexOf(step, items.length)] as Node;
}

function indexOf(step: string, length: number): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(step)) throw new Misfit(`${JSON.stringify(step)} is no place in a list`);
  if (Number(step) >= length) throw new Misfit(`the list has no place ${step}`);
  return Number(step);
}

type Json = Extract<PatchStep, { op: 'add' }>['value'];

/** What a patch puts in. */
function written(value: Json): Node {
  checkDigits(value);
  try {
    return parseText(JSON.stringify(value));
  } catch (error) {
    throw new Misfit(`the value cannot be put in: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Larger ones have lost digits before they came here: what would be written is not what was typed. */
function checkDigits(value: Json): void {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new Misfit(`${value} has more digits than a patch can carry; write it as a string`);
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) checkDigits(part);
}

function check(node: Node, value: Json): void {
  if (!equal(node, value)) throw new Misfit('the payload has another value there');
}

function equal(node: Node, value: Json): boolean {
  if (node.kind === 'array')
    return (
      Array.isArray(value) &&
      value.length === node.items.length &&
      node.items.every((item, i) => equal(item, value[i] as Json))
    );
  if (node.kind === 'object') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const expected = new Map<string, Json>(Object.entries(value));
    const found = new Map(node.members.map((member) => [member.key, member.value]));
    return (
      found.size === expected.size &&
      [...found].every(([key, part]) => expected.has(key) && equal(part, expected.get(key) as Json))
    );
  }
  if (typeof value === 'string') return node.text.startsWith('"') && stringOf(node.text) === value;
  if (typeof value === 'number') return sameNumber(node.text, String(value));
  return node.text === JSON.stringify(value);
}

/** By their digits, so that two large numbers are not taken for one because a double holds them alike: 1.0, 1 and 10e-1 are one. */
function sameNumber(a: string, b: string): boolean {
  const [one, other] = [plain(a), plain(b)];
  return one !== null && one === other;
}

/** Sign, digits without zeros at the ends, and the power of ten of the last: the same for all ways to write a number. */
function plain(text: string): string | null {
  const [, sign, whole, part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = (whole + part).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  return `${sign}${kept}e${Number(power) - part.length + digits.length - kept.length}`;
}
