/**
 * Applies a JSON patch (RFC 6902: add, remove, replace, test) to a payload's text. Values outside the patch keep their exact characters,
 * which no library does; lists and objects around a change lose their spaces.
 */
import { errorText } from '@/lib/contract/describe-error';
import { isJson, jsonFault } from '@/lib/contract/json-fault';
import type { PatchStep } from '@/lib/contract/operations/operation-request';
import { unquoteJson } from '@/lib/format/json-scanner';
import {
  type JsonArray,
  type JsonContainer,
  type JsonMember,
  type JsonNode,
  type JsonObject,
  printJson,
  readJson,
} from '@/lib/format/read-json';

export type PatchResult =
  | { readonly ok: true; readonly text: string }
  /** Says which step does not fit, and why. */
  | { readonly ok: false; readonly problem: string };

export function applyPatch(payload: string, patch: readonly PatchStep[]): PatchResult {
  let root: JsonNode;
  try {
    // A payload that is replaced as a whole need not be JSON: that repairs a broken one.
    root = readPayload(replacesWhole(patch) ? 'null' : payload);
  } catch (error) {
    const why = errorText(error);
    return { ok: false, problem: `The payload is not JSON that can be edited: ${why}` };
  }
  for (const [i, step] of patch.entries()) {
    try {
      root = applyStep(root, step);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      return {
        ok: false,
        problem: `Step ${i + 1} (${step.op} ${JSON.stringify(step.path)}): ${error.message}.`,
      };
    }
  }
  return { ok: true, text: printJson(root) };
}

/** Whether the patch begins with a new payload. */
export const replacesWhole = ([first]: readonly PatchStep[]): boolean =>
  first?.path === '' && (first.op === 'replace' || first.op === 'add');

/** A walk of the tree needs a stack frame a level. */
export const PAYLOAD_MAX_DEPTH = 500;

/** @throws SyntaxError that says where the fault is, without quoting the text */
function readPayload(text: string): JsonNode {
  if (!isJson(text)) throw new SyntaxError(`${jsonFault(text)}.`);
  const result = readJson(text, {
    maxChars: Number.POSITIVE_INFINITY,
    maxNodes: Number.POSITIVE_INFINITY,
    maxDepth: PAYLOAD_MAX_DEPTH,
  });
  if (!result.ok) throw new SyntaxError(`It is nested deeper than ${PAYLOAD_MAX_DEPTH} levels.`);
  return result.node;
}

/** The step does not fit this payload. */
class Misfit extends Error {}

function applyStep(root: JsonNode, step: PatchStep): JsonNode {
  const steps = stepsOf(step.path);
  const last = steps.pop();
  if (last === undefined) {
    if (step.op === 'remove') throw new Misfit('all of a payload cannot be removed; replace it');
    if (step.op !== 'test') return patchValue(step.value);
    check(root, step.value);
    return root;
  }
  const containers = containersTo(root, steps);
  const parent = containers.at(-1);
  if (parent?.kind === 'object') changeObject(parent, last, step);
  else if (parent) changeArray(parent, last, step);
  // A test leaves all as it is.
  if (step.op !== 'test') for (const container of containers) container.text = null;
  return root;
}

/** The names in a JSON pointer: `~1` is a slash, `~0` a tilde. */
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
function containersTo(root: JsonNode, steps: readonly string[]): JsonContainer[] {
  const path = [asContainer(root, '')];
  for (const step of steps) {
    const container = path[path.length - 1] as JsonContainer;
    const next = container.kind === 'object' ? memberOf(container, step).value : itemOf(container, step);
    path.push(asContainer(next, step));
  }
  return path;
}

function asContainer(node: JsonNode, step: string): JsonContainer {
  if (node.kind === 'object' || node.kind === 'array') return node;
  throw new Misfit(`${step === '' ? 'the payload' : JSON.stringify(step)} is neither an object nor a list`);
}

/** Of several members of one name the last counts, as for `JSON.parse`. */
function memberOf({ members }: JsonObject, key: string): JsonMember {
  const member = members.findLast((one) => one.key === key);
  if (!member) throw new Misfit(`there is no member ${JSON.stringify(key)}`);
  return member;
}

function changeObject(parent: JsonObject, key: string, step: PatchStep): void {
  switch (step.op) {
    case 'add': {
      const existing = parent.members.findLast((member) => member.key === key);
      if (existing) existing.value = patchValue(step.value);
      else parent.members.push({ keyText: JSON.stringify(key), key, value: patchValue(step.value) });
      return;
    }
    case 'replace':
      memberOf(parent, key).value = patchValue(step.value);
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

function changeArray(parent: JsonArray, step: string, { op, ...rest }: PatchStep): void {
  const value = 'value' in rest ? rest.value : null;
  if (op === 'add') {
    const at = step === '-' ? parent.items.length : indexOf(step, parent.items.length + 1);
    parent.items.splice(at, 0, patchValue(value));
    return;
  }
  const at = indexOf(step, parent.items.length);
  if (op === 'replace') parent.items[at] = patchValue(value);
  else if (op === 'remove') parent.items.splice(at, 1);
  else check(itemOf(parent, step), value);
}

function itemOf({ items }: JsonArray, step: string): JsonNode {
  return items[indexOf(step, items.length)] as JsonNode;
}

function indexOf(step: string, length: number): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(step)) throw new Misfit(`${JSON.stringify(step)} is not an index of a list`);
  if (Number(step) >= length) throw new Misfit(`the list has no item ${step}`);
  return Number(step);
}

type Json = Extract<PatchStep, { op: 'add' }>['value'];

/** The value of a step. */
function patchValue(value: Json): JsonNode {
  checkDigits(value);
  try {
    return readPayload(JSON.stringify(value));
  } catch (error) {
    throw new Misfit(`the value cannot be put in: ${errorText(error)}`);
  }
}

/** A larger integer has lost digits already: the value written would not be the one typed. */
function checkDigits(value: Json): void {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new Misfit(`${value} has more digits than a patch can carry; write it as a string`);
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) checkDigits(part);
}

function check(node: JsonNode, value: Json): void {
  if (!equal(node, value)) throw new Misfit('the payload has another value there');
}

function equal(node: JsonNode, value: Json): boolean {
  if (node.kind === 'array')
    return (
      Array.isArray(value) &&
      value.length === node.items.length &&
      node.items.every((item, i) => equal(item, value[i] as Json))
    );
  if (node.kind === 'object') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const expected = new Map<string, Json>(Object.entries(value));
    const actual = new Map(node.members.map((member) => [member.key, member.value]));
    return (
      actual.size === expected.size &&
      [...actual].every(([key, part]) => expected.has(key) && equal(part, expected.get(key) as Json))
    );
  }
  if (typeof value === 'string') return node.text.startsWith('"') && unquoteJson(node.text) === value;
  if (typeof value === 'number') return sameNumber(node.text, String(value));
  return node.text === JSON.stringify(value);
}

/** Compares digits, because a double holds different large numbers alike: 1.0, 1 and 10e-1 are equal. */
function sameNumber(a: string, b: string): boolean {
  const digits = normalNumber(a);
  return digits !== null && digits === normalNumber(b);
}

/** Sign, digits without zeros at the ends, and the power of ten of the last digit: the same for every spelling of a number. */
function normalNumber(text: string): string | null {
  const [, sign, whole, part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = (whole + part).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(power) - part.length + digits.length - significant.length}`;
}
