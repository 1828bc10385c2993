/** The JSON patch that turns one payload into the text a user edited; pure. */
import { isJson, jsonFault } from '@/lib/contract/json-fault';
import { PATCH_MAX_STEPS } from '@/lib/contract/operations/operation-kinds';
import type { PatchStep } from '@/lib/contract/operations/operation-request';
import { MASK } from '@/lib/contract/redaction/redaction-default';
import { longNumbers, toPointer } from './patch-draft';

type Json = Extract<PatchStep, { op: 'add' }>['value'];
export interface PayloadPatch {
  readonly steps: PatchStep[];
  readonly problem: string | null;
}

/**
 * Only what differs is changed: other values keep their digits, and hidden ones stay stored. A payload that is no JSON is replaced as a whole.
 * @param after must be JSON, because handlers take nothing else
 */
export function payloadPatch(before: string, after: string): PayloadPatch {
  if (after.trim() === '') return refuse('Give a payload, such as {}.');
  if (!isJson(after)) return refuse(`This is not valid JSON: ${jsonFault(after)}.`);
  const known = new Set(longNumbers(before));
  if (longNumbers(after).some((number) => !known.has(number)))
    return refuse('A number in it is too long and would be rounded; write it as a string.');
  const next = JSON.parse(after) as Json;
  const steps = isJson(before) ? difference(JSON.parse(before) as Json, next, []) : [replaceAll(next)];
  if (steps.length === 0) return refuse('Nothing is changed yet.');
  // A changed value that contains a long number would write it rounded.
  if (steps.some((step) => 'value' in step && hasUnsafeNumber(step.value)))
    return refuse('A changed part contains a number that is too long and would be rounded.');
  if (steps.length <= PATCH_MAX_STEPS) return { steps, problem: null };
  return after.includes(MASK) || longNumbers(after).length > 0
    ? refuse(`Change at most ${PATCH_MAX_STEPS} values at a time; these are ${steps.length}.`)
    : { steps: [replaceAll(next)], problem: null };
}

const refuse = (problem: string): PayloadPatch => ({ steps: [], problem });
const replaceAll = (value: Json): PatchStep => ({ op: 'replace', path: '', value });

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function difference(before: Json, after: Json, path: readonly string[]): PatchStep[] {
  const at = path.length === 0 ? '' : toPointer(path);
  if (isObject(before) && isObject(after)) {
    const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
    return [
      ...removed.map((key): PatchStep => ({ op: 'remove', path: toPointer([...path, key]) })),
      ...Object.entries(after).flatMap(([key, value]): PatchStep[] =>
        Object.hasOwn(before, key)
          ? difference(before[key] as Json, value, [...path, key])
          : [{ op: 'add', path: toPointer([...path, key]), value }],
      ),
    ];
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return after.flatMap((value, i) => difference(before[i] as Json, value, [...path, String(i)]));
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ op: 'replace', path: at, value: after }];
}

function hasUnsafeNumber(value: Json): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnsafeNumber);
}
