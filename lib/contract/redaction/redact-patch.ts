/**
 * Edits of hidden values. Whether a patch applies tells about a payload: a `test` of a hidden value is a guess at it. So editing or
 * testing a hidden value needs the permission to see it.
 */
import type { PatchStep } from '../operations/operation-request';
import {
  hidesName,
  hidesNothing,
  isIndex,
  pointerSteps,
  type Redaction,
  type RulePositions,
  stepInto,
} from './redaction';
import { MASK } from './redaction-default';

type Json = Extract<PatchStep, { op: 'add' }>['value'];

/** Whether any step reads, writes, replaces or moves a hidden value. */
export function touchesHidden(patch: readonly PatchStep[], redaction: Redaction): boolean {
  if (hidesNothing(redaction)) return false;
  if (redaction.whole) return patch.length > 0;
  return patch.some((step) => {
    const ways = waysTo(pointerSteps(step.path), redaction);
    // A rule names a value inside.
    if (ways === null || ways.length > 0) return true;
    if (shiftsHidden(step, redaction)) return true;
    return 'value' in step && holdsHidden(step.value, ways, redaction);
  });
}

/** The patch as users may see it: values for hidden positions are hidden, too. */
export const maskedPatch = (patch: readonly PatchStep[], redaction: Redaction): PatchStep[] =>
  patch.map((step) =>
    'value' in step
      ? { ...step, value: masked(step.value, waysTo(pointerSteps(step.path), redaction), redaction) }
      : step,
  );

/** Whether it would write the mask instead of a value. */
export const writesMask = (patch: readonly PatchStep[]): boolean =>
  patch.some((step) => step.op !== 'test' && 'value' in step && holdsMask(step.value));

/** Null: the value there is hidden, or lies inside a hidden one. */
function waysTo(steps: readonly string[], redaction: Redaction): RulePositions | null {
  if (redaction.whole) return null;
  let ways: RulePositions | null = redaction.top;
  for (const step of steps) {
    if (hidesName(redaction, step)) return null;
    ways = stepInto(ways, step);
    if (ways === null) return null;
  }
  return ways;
}

/** An entry added to a list or removed from it moves later ones, to positions that no rule may name. */
function shiftsHidden({ op, path }: PatchStep, redaction: Redaction): boolean {
  if (op !== 'add' && op !== 'remove') return false;
  const steps = pointerSteps(path);
  const last = steps.pop();
  if (last === undefined || !isIndex(last)) return false;
  const ways = waysTo(steps, redaction);
  return ways?.some(({ path: rule, at }) => isIndex(rule[at] ?? '')) ?? true;
}

function holdsHidden(value: Json, ways: RulePositions, redaction: Redaction): boolean {
  return entriesOf(value).some(([name, part]) => {
    const next = !Array.isArray(value) && hidesName(redaction, name) ? null : stepInto(ways, name);
    return next === null || holdsHidden(part, next, redaction);
  });
}

function masked(value: Json, ways: RulePositions | null, redaction: Redaction): Json {
  if (ways === null) return MASK;
  if (typeof value !== 'object' || value === null) return value;
  const parts = entriesOf(value).map(([name, part]): [string, Json] => {
    const hidden = !Array.isArray(value) && hidesName(redaction, name);
    return [name, masked(part, hidden ? null : stepInto(ways, name), redaction)];
  });
  return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

const holdsMask = (value: Json): boolean =>
  value === MASK || entriesOf(value).some(([, part]) => holdsMask(part));

const entriesOf = (value: Json): [string, Json][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];
