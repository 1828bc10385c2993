/** The fields of the language, as autocomplete and docs/search.md show them, and the nearest to what somebody typed. */
import { NAME_FIELDS, type NameField, NUMBER_FIELDS, type NumberField } from './filter';

export const FIELD_HINTS = {
  queue: 'queue name',
  type: 'job type',
  tenant: 'tenant id',
  code: 'error code of the last failure',
  class: 'class of the last failure',
  group: 'failure group, or how its id begins',
  age: 'time in its state: age:>1h',
  attempts: 'attempts used: attempts:>=3',
  priority: 'priority: priority:<0',
  version: 'version of the job type',
  id: 'job id',
  key: 'idempotency key',
  correlation: 'correlation id',
  trace: 'trace id',
  operation: 'operation that moved it here',
  payload: 'a value in the payload: payload.order.id:42',
} as const satisfies Record<NameField | NumberField | 'age' | 'payload', string>;
export type FieldName = keyof typeof FIELD_HINTS;
export const FIELDS = Object.keys(FIELD_HINTS) as readonly FieldName[];

export const isNameField = (name: string): name is NameField =>
  (NAME_FIELDS as readonly string[]).includes(name);
export const isNumberField = (name: string): name is NumberField =>
  (NUMBER_FIELDS as readonly string[]).includes(name);

const LONGEST = 40;

/** How many letters must be added, taken away, changed, or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : changed;
      next.push(Math.min(changed, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The known word somebody may have meant; null: none is near. */
export function nearest(typed: string, known: readonly string[]): string | null {
  if (typed.length > LONGEST) return null;
  const lower = typed.toLowerCase();
  let best: { word: string; away: number } | null = null;
  for (const word of known) {
    const away = distance(lower, word);
    if (away <= Math.max(1, Math.floor(word.length / 3)) && (best === null || away < best.away))
      best = { word, away };
  }
  return best?.word ?? null;
}
