/**
 * Invariant 24: whatever a person changed has one record on its way to the audit log, with the number of jobs that were changed, and
 * nothing else has any. Looked at after every command of the random courses.
 */
import { expect } from 'vitest';
import { pairsOf } from '../worlds/flat-pairs';
import type { World } from '../worlds/world';

/** Reads what was added to the outboxes of some queues, or shards, since it was last asked. */
export class Outboxes {
  readonly #last = new Map<string, string>();

  /** `<action>`, or `<action> <jobs>`, in order. */
  async fresh(world: World, name: string): Promise<string[]> {
    const last = this.#last.get(name);
    const entries = await world.redis.xrange(world.column(name, 'audit'), last ? `(${last}` : '-', '+');
    const newest = entries.at(-1);
    if (newest) this.#last.set(name, newest[0]);
    return entries.map(([, fields]) => wordsOf(fields));
  }
}

/** What the commands of a single queue leave, one after the other. */
export class Records {
  readonly #outboxes = new Outboxes();
  #meant: string[] = [];

  /** What is done now leaves this record. `count`: of the jobs it changed; none, and it leaves none. */
  means(action: string, count?: number): void {
    if (count !== 0) this.#meant.push(count === undefined ? action : `${action} ${count}`);
  }

  async check(world: World, queue: string): Promise<void> {
    const found = await this.#outboxes.fresh(world, queue);
    expect(found, '24: one record of what a person changed, and how many jobs that were').toEqual(
      this.#meant,
    );
    this.#meant = [];
  }
}

function wordsOf(fields: readonly string[]): string {
  const named = new Map(pairsOf(fields));
  return [named.get('action'), named.get('count')].filter((word) => word !== undefined).join(' ');
}
