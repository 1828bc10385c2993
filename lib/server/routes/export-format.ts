import type { ExportFormat } from '@/lib/contract/operations/operation-kinds';

/**
 * The formats of an exported file. NDJSON for programs: numbers, times in ms since 1970, payloads letter for letter. CSV for users and
 * spreadsheets: RFC 4180, times in ISO 8601, and no cell that a spreadsheet would run, whatever separator it assumes; for Excel with a mark.
 */
export const EXPORT_COLUMNS = [
  'queue',
  'id',
  'state',
  'type',
  'version',
  'tenant',
  'priority',
  'attempts',
  'class',
  'code',
  'group',
  'message',
  'createdAt',
  'enteredAt',
  'key',
  'correlation',
  'trace',
  'payload',
  /** `text`, or `base64` of a payload that is no UTF-8 text. */
  'payloadEncoding',
] as const;
type ExportColumn = (typeof EXPORT_COLUMNS)[number];
const TIMES: ReadonlySet<ExportColumn> = new Set(['createdAt', 'enteredAt']);

/** Letters with which a cell is a formula, also in the wide forms that some spreadsheets take for the same. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/**
 * The same behind what a spreadsheet may take for the end of a cell or line. Where it separates by `;`, tab or `|`, it does not see that the cell is
 * quoted; quotes and blanks in front of the formula it takes away.
 */
const FORMULA_INSIDE = /([;|\t\r\n\v\f\u0085\u2028\u2029])(?=[\s"\0]*[=+\-@＝＋－＠])/g;
const SPECIAL = /[",\r\n]/;

/** Null: the job has none, or it cannot be read. */
export type ExportRow = Readonly<Record<ExportColumn, string | number | null>>;

interface ExportFile {
  readonly contentType: string;
  /** The first line. */
  readonly head: string;
  row(row: ExportRow): string;
  /** The last line of a file with a row limit reached. */
  truncated(rows: number): string;
}

/** At the start of a file it tells Excel that the text is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

const CSV: ExportFile = {
  contentType: 'text/csv; charset=utf-8; header=present',
  head: csvLine(EXPORT_COLUMNS),
  row: (row) =>
    csvLine(EXPORT_COLUMNS.map((column) => (TIMES.has(column) ? isoTime(row[column]) : row[column]))),
  // As wide as the others, so that a strict reader takes it; no queue has such a name.
  truncated: (rows) =>
    csvLine(
      EXPORT_COLUMNS.map((column) => (column === 'queue' ? '#truncated' : column === 'id' ? rows : null)),
    ),
};

export const EXPORT_FORMAT: Readonly<Record<ExportFormat, ExportFile>> = {
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: '',
    row: (row) =>
      `${JSON.stringify(Object.fromEntries(EXPORT_COLUMNS.map((column) => [column, row[column]])))}\n`,
    truncated: (rows) => `${JSON.stringify({ truncated: true, rows })}\n`,
  },
  csv: CSV,
  excel: { ...CSV, head: `${BYTE_ORDER_MARK}${CSV.head}` },
};

/** One cell. Text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const inside = value.replace(FORMULA_INSIDE, "$1'");
  const safe = FORMULA.test(value) || value.startsWith('\0') ? `'${inside}` : inside;
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

const isoTime = (value: string | number | null): string | number | null =>
  typeof value === 'number' ? new Date(value).toISOString() : value;
