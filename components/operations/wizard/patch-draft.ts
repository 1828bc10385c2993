/** A JSON patch as a user writes it, in rows or as JSON; pure. */
import { PATCH_MAX_STEPS } from '@/lib/contract/operations/operation-kinds';
import { type PatchStep, patchStepSchema } from '@/lib/contract/operations/operation-request';

export type PatchOp = PatchStep['op'];
export interface PatchRow {
  /** Only tells rows apart on the screen. */
  key: number;
  op: PatchOp;
  path: string;
  /** JSON; other text is taken as a string. */
  value: string;
}
export interface PatchDraft {
  rows: readonly PatchRow[];
  /** The JSON while it is edited as text; null: the rows are used. */
  raw: string | null;
}

export const OPS = [
  { value: 'replace', label: 'Replace' },
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Remove' },
  { value: 'test', label: 'Only if equal to' },
] as const satisfies readonly { value: PatchOp; label: string }[];

const blank = (key: number): PatchRow => ({ key, op: 'replace', path: '', value: '' });
export const NO_PATCH: PatchDraft = { rows: [blank(0)], raw: null };

export const hasValue = (op: PatchOp): boolean => op !== 'remove';
export const withRow = ({ rows }: PatchDraft): PatchDraft => ({
  raw: null,
  rows:
    rows.length < PATCH_MAX_STEPS ? [...rows, blank(Math.max(-1, ...rows.map(({ key }) => key)) + 1)] : rows,
});
export const withoutRow = ({ rows }: PatchDraft, key: number): PatchDraft => {
  const left = rows.filter((row) => row.key !== key);
  return { raw: null, rows: left.length > 0 ? left : NO_PATCH.rows };
};
export const changeRow = ({ rows }: PatchDraft, key: number, change: Partial<PatchRow>): PatchDraft => ({
  raw: null,
  rows: rows.map((row) => (row.key === key ? { ...row, ...change } : row)),
});

/** `42`, `true`, `{"a":1}` as JSON; other text as a string. */
export function readValue(text: string): PatchJson {
  try {
    return JSON.parse(text) as PatchJson;
  } catch {
    return text;
  }
}
type PatchJson = Extract<PatchStep, { op: 'add' }>['value'];

/** A whole number so long that JavaScript would round it. */
const LONG_NUMBER = /(?<![\w."-])-?\d{16,}(?![\w".])/g;
export const longNumbers = (text: string): string[] => text.match(LONG_NUMBER) ?? [];

/** `order.items.0` as people write it, or the pointer `/order/items/0` itself. */
export function pointerOf(path: string): string {
  const text = path.trim();
  return text === '' || text.startsWith('/') ? text : toPointer(text.split('.'));
}

export const toPointer = (path: readonly string[]): string =>
  `/${path.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;

export function readPatch(draft: PatchDraft): { steps: PatchStep[]; problem: string | null } {
  return draft.raw === null ? readRows(draft.rows) : readRaw(draft.raw);
}

function readRows(rows: readonly PatchRow[]): { steps: PatchStep[]; problem: string | null } {
  const none = { steps: [] };
  for (const [i, { op, path, value }] of rows.entries()) {
    const line = rows.length > 1 ? `Line ${i + 1}: ` : '';
    if (path.trim() === '') return { ...none, problem: `${line}give a field, such as order.currency.` };
    if (hasValue(op) && value.trim() === '')
      return { ...none, problem: `${line}give a value; "" is the empty string.` };
    if (hasValue(op) && longNumbers(value).length > 0)
      return {
        ...none,
        problem: `${line}this number is too long and would be rounded; write it as a string.`,
      };
  }
  const steps = rows.map(
    ({ op, path, value }): PatchStep =>
      op === 'remove'
        ? { op, path: pointerOf(path) }
        : { op, path: pointerOf(path), value: readValue(value) },
  );
  const parsed = patchStepSchema.array().safeParse(steps);
  return parsed.success
    ? { steps: parsed.data, problem: null }
    : { ...none, problem: 'A path may have at most 500 characters.' };
}

function readRaw(raw: string): { steps: PatchStep[]; problem: string | null } {
  const none = { steps: [] };
  let json: unknown;
  try {
    json = JSON.parse(raw);
  } catch {
    return { ...none, problem: 'This is not valid JSON.' };
  }
  if (longNumbers(raw).length > 0)
    return { ...none, problem: 'A number in it is too long and would be rounded; write it as a string.' };
  const parsed = patchStepSchema.array().min(1).max(PATCH_MAX_STEPS).safeParse(json);
  if (parsed.success) return { steps: parsed.data, problem: null };
  const issue = parsed.error.issues[0];
  const where = issue && issue.path.length > 0 ? `Step ${Number(issue.path[0]) + 1}: ` : '';
  return {
    ...none,
    problem: `${where}a patch is a list of 1 to ${PATCH_MAX_STEPS} steps such as {"op":"replace","path":"/order/currency","value":"EUR"}; op is add, replace, remove or test.`,
  };
}

/** The rows as JSON, without those that have no field yet. */
export function asRaw(draft: PatchDraft): PatchDraft {
  const steps = draft.rows
    .filter(({ path }) => path.trim() !== '')
    .map(({ op, path, value }) => ({
      op,
      path: pointerOf(path),
      ...(hasValue(op) ? { value: readValue(value) } : {}),
    }));
  return { ...draft, raw: JSON.stringify(steps, null, 2) };
}

/** The JSON as rows, if it is valid. */
export function asRows(draft: PatchDraft): PatchDraft {
  if (draft.raw === null) return draft;
  const { steps, problem } = readRaw(draft.raw);
  if (problem) return draft.raw.trim() === '[]' ? NO_PATCH : draft;
  return {
    raw: null,
    rows: steps.map((step, key) => ({
      key,
      op: step.op,
      path: step.path,
      value: step.op === 'remove' ? '' : valueText(step.value),
    })),
  };
}

/** A string that would be read as another JSON value keeps its quotes. */
const valueText = (value: PatchJson): string =>
  typeof value === 'string' && readValue(value) === value && value !== '' ? value : JSON.stringify(value);

const PATHS_MAX = 60;

/** The fields of sample payloads, to suggest while a path is typed: `order.items.0.sku`, in the order met; keys with dots or slashes as pointers. */
export function payloadPaths(payloads: readonly string[]): string[] {
  const paths = new Set<string>();
  for (const text of payloads) {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      continue;
    }
    walk(value, [], paths);
    if (paths.size >= PATHS_MAX) break;
  }
  return [...paths].slice(0, PATHS_MAX);
}

function walk(value: unknown, path: readonly string[], paths: Set<string>): void {
  if (paths.size >= PATHS_MAX || path.length > 6) return;
  if (path.length > 0) paths.add(pathText(path));
  if (typeof value !== 'object' || value === null) return;
  const entries = Array.isArray(value)
    ? value.slice(0, 2).map((entry, i) => [String(i), entry])
    : Object.entries(value);
  for (const [key, inner] of entries) walk(inner, [...path, String(key)], paths);
}

const pathText = (path: readonly string[]): string =>
  path.some((step) => step === '' || /[./~]/.test(step)) ? toPointer(path) : path.join('.');
