/**
 * The audit log as a file. NDJSON has the exact events with their hashes, a first line about the file and a last line that marks it complete:
 * `npm run audit -- verify --file` checks it. CSV is for users and spreadsheets, for Excel with a mark.
 */

import { type Broker, entryText } from '@/lib/broker';
import type { AuditEventView, AuditQuery } from '@/lib/contract/audit/audit-schemas';
import type { ExportFormat } from '@/lib/contract/operations/operation-kinds';
import { revealHidden } from '@/lib/format/display-text';
import { BYTE_ORDER_MARK, csvCell } from './export-format';

type Head = Awaited<ReturnType<Broker['audit']['head']>>;

interface AuditFile {
  readonly contentType: string;
  head(about: { at: number; head: Head; filter: Partial<AuditQuery>; whole: boolean; cut: boolean }): string;
  entry(entry: AuditEventView): string;
  end(entries: number): string;
}

const CSV_COLUMNS: readonly [name: string, of: (entry: AuditEventView) => string | number | null][] = [
  ['n', ({ n }) => n],
  ['at', ({ at }) => new Date(at).toISOString()],
  ['actor', ({ actor }) => actor],
  ['actorId', ({ actorId }) => actorId],
  ['method', ({ method }) => method],
  ['via', ({ via }) => via],
  ['address', ({ address }) => address],
  ['action', ({ action }) => action],
  ['result', ({ result }) => result],
  ['code', ({ code }) => code],
  ['kind', ({ object }) => object?.kind ?? null],
  ['id', ({ object }) => object?.id ?? null],
  ['queue', ({ queue }) => queue],
  ['shard', ({ shard }) => shard],
  ['filter', ({ filter }) => filter],
  ['reason', ({ reason }) => reason],
  ['before', ({ before }) => before],
  ['after', ({ after }) => after],
  ['count', ({ count }) => count],
  ['requestId', ({ requestId }) => requestId],
  ['source', ({ source }) => source],
  ['hash', ({ hash }) => hash],
];

const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map((cell) => csvCell(typeof cell === 'string' ? revealHidden(cell) : cell)).join(',')}\r\n`;

const CSV_HEAD = csvLine(CSV_COLUMNS.map(([name]) => name));
const CSV: AuditFile = {
  contentType: 'text/csv; charset=utf-8; header=present',
  head: () => CSV_HEAD,
  entry: (entry) => csvLine(CSV_COLUMNS.map(([, of]) => of(entry))),
  end: () => '',
};

export const AUDIT_FILES: Readonly<Record<ExportFormat, AuditFile>> = {
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: ({ at, head: { n, hash, base }, filter, whole, cut }) =>
      `${JSON.stringify({ redriveAudit: 1, at, whole, cut, filter, base, head: { n, hash } })}\n`,
    entry: (entry) => `${entryText(entry)}\n`,
    end: (entries) => `${JSON.stringify({ end: true, entries })}\n`,
  },
  csv: CSV,
  excel: { ...CSV, head: () => `${BYTE_ORDER_MARK}${CSV_HEAD}` },
};
