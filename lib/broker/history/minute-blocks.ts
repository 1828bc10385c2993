/** The rows of a queue's history as Redis keeps them, unpacked: see lib/broker/lua/history. */
import { decodeRow, type HistoryRow, ofByte } from './row-codec';

/** Of one stream of a shard: a month of ten-minute blocks is a few megabytes. */
export const HISTORY_MAX_BYTES = 33_554_432;

export type StreamEntry = readonly [id: Buffer, fields: readonly Buffer[]];
export interface TimedRow extends HistoryRow {
  /** Minutes since 1970. */
  readonly minute: number;
}
/** Work of one type or tenant in ten minutes, rounded to 7 %. */
export interface Share {
  readonly kind: 'type' | 'tenant';
  /** `*`: all that were too many to be counted apart. */
  readonly name: string;
  readonly claimed: number;
  readonly failed: number;
  readonly died: number;
}

const minuteOf = ([id]: StreamEntry): number => Number.parseInt(id.toString('latin1'), 10);
const field = ([, fields]: StreamEntry, name: string): Buffer => {
  const at = fields.findIndex((item, i) => i % 2 === 0 && item.toString('latin1') === name);
  return fields[at + 1] ?? Buffer.alloc(0);
};

/** Rows of `minuteRows` or `tenMinuteRows`. */
export const rowsOf = (entries: readonly StreamEntry[]): TimedRow[] =>
  entries.flatMap((entry) => {
    const row = decodeRow(field(entry, 'r'));
    return row ? [{ ...row, minute: minuteOf(entry) }] : [];
  });

/** Rows of `minuteBlocks`. */
export function blockRowsOf(entries: readonly StreamEntry[]): TimedRow[] {
  const rows: TimedRow[] = [];
  for (const entry of entries) {
    const block = field(entry, 'r');
    for (let at = 0; at + 2 <= block.length; ) {
      const [offset = 0, length = 0] = [block[at], block[at + 1]];
      const row = decodeRow(block.subarray(at + 2, at + 2 + length));
      if (row) rows.push({ ...row, minute: minuteOf(entry) + offset });
      at += 2 + length;
    }
  }
  return rows;
}

/** The busiest types and tenants of each block, from the first block on that names them: all of `minuteBlocks`. */
export function sharesOf(entries: readonly StreamEntry[]): { minute: number; shares: Share[] }[] {
  let names: string[] | null = null;
  return entries.flatMap((entry) => {
    const bytes = field(entry, 'b');
    const end = bytes.indexOf(10);
    if (end > 0) names = bytes.subarray(0, end).toString('utf8').split(' ');
    if (end < 0 || !names) return [];
    const counts = [...bytes.subarray(end + 1)].map(ofByte);
    const shares = names.slice(0, counts.length / 3).map((id, i): Share => {
      const [claimed = 0, failed = 0, died = 0] = counts.slice(3 * i, 3 * i + 3);
      return { kind: id.startsWith('t:') ? 'type' : 'tenant', name: id.slice(2), claimed, failed, died };
    });
    return [{ minute: minuteOf(entry), shares }];
  });
}
