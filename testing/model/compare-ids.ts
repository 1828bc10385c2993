/** A queue as it was read, and findings about two sets of ids that should be one, or one within the other. */
import type { Column } from '@/lib/broker/redis/redis-keys';

export type Rows = Map<string, string>;
/** Members with their scores, in the order of the index. */
export type Index = Map<string, string>;

export interface RawQueue {
  readonly hash: (column: Column) => Rows;
  readonly zset: (column: Column) => Index;
  /** State → its index. */
  readonly states: ReadonlyMap<string, Index>;
  readonly counter: (field: string) => number;
}

type Keyed = { keys(): Iterable<string>; has(id: string): boolean };
export const within = (what: string, a: Keyed, b: Keyed, where = 'jobs'): string[] =>
  [...a.keys()].filter((id) => !b.has(id)).map((id) => `${what} holds ${id}, which is not in ${where}`);
export const same = (what: string, a: Keyed, where: string, b: Keyed): string[] => [
  ...within(what, a, b, where),
  ...[...b.keys()].filter((id) => !a.has(id)).map((id) => `${what} lacks ${id}, which is in ${where}`),
];
