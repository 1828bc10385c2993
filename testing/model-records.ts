/**
 * Invariant 24 for the model-based test: whatever a person changed has one record on its way to the audit log, with the number of
 * jobs that were changed, and nothing else has any.
 */
import { expect } from 'vitest';
import type { World } from './world';

export interface Records {
  /** What the command that is being run should leave, in order. */
  readonly meant: string[];
  /** The last record that was looked at. */
  last: string;
}
export const newRecords = (): Records => ({ meant: [], last: '-' });

/** `count`: of jobs; a record that is not about jobs has none. */
export function means(records: Records, action: string, count?: number): void {
  if (count !== 0) records.meant.push(count === undefined ? action : `${action} ${count}`);
}

export async function checkRecords(records: Records, world: World, queue: string): Promise<void> {
  const from = records.last === '-' ? '-' : `(${records.last}`;
  const fresh = await world.redis.xrange(world.column(queue, 'audit'), from, '+');
  records.last = fresh.at(-1)?.[0] ?? records.last;
  expect(
    fresh.map(([, fields]) => wordsOf(fields)),
    '24: one record of what a person changed, and how many jobs that were',
  ).toEqual(records.meant.splice(0));
}

function wordsOf(fields: readonly string[]): string {
  const of = (name: string) => fields.find((_, i) => i > 0 && i % 2 === 1 && fields[i - 1] === name);
  const count = of('count');
  return count === undefined ? `${of('action')}` : `${of('action')} ${count}`;
}
