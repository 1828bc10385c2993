/**
 * Works off running operations, a slice at a time, all of them in turn. Any console may run any operation: what is moved, is moved by
 * scripts that a second runner cannot repeat, and a lease tells the consoles who is at it, so that the next one goes on where one died.
 */

import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { MayGoOn } from '@/lib/broker';
import { sayable } from '@/lib/broker/redis-errors';
import { RedriveError } from '@/lib/contract/errors';
import { mayGoOn } from './access/may-go-on';
import { getBroker } from './broker';
import { log } from './log';
import { singleton } from './singleton';
import { Turns } from './turns';

/** How often a console looks for operations that nobody runs. With the length of a lease: how long a dead runner is missed. */
const PATROL_MS = 2_000;
/** Each so many looks everything kept is looked through, should the list of open operations have been damaged. */
const THOROUGH_EVERY = 30;
const RETRY_MS = 1_000;
/** Ten times what a slice should take. One that waits for a Redis that does not answer loses its turn to the others. */
const TURN_MS = 250;
/** Faults of Redis that pass: how far the operation is stands in Redis, so trying again is safe. */
const PASSING = new Set(['UNKNOWN_OUTCOME', 'REDIS_UNAVAILABLE', 'REDIS_FULL']);

const passes = (error: unknown): boolean => error instanceof RedriveError && PASSING.has(error.code);

/** Where it cannot be told whether somebody still may do it, it is not done. */
const allowed: MayGoOn = (record) =>
  mayGoOn(record).catch((error: unknown) => {
    if (passes(error)) throw error;
    log().error({ err: error, operation: record.id }, 'bulk runner: rights could not be looked up');
    return {
      ok: false,
      sentence: 'Whether its starter may still do this could not be looked up. See the log of the console.',
    };
  });

export class BulkRunner {
  private readonly id = `runner-${randomBytes(8).toString('hex')}`;
  /** What each operation under way waits for: calling it ends the wait. */
  private readonly active = new Map<string, () => void>();
  /** No operation keeps Redis, or this process, from the others. */
  private readonly turns = new Turns(TURN_MS);
  private patrols = 0;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  start(): void {
    if (this.timer || this.stopped) return;
    const patrol = () => {
      void this.adopt().finally(() => {
        if (!this.stopped) this.timer = setTimeout(patrol, PATROL_MS).unref();
      });
    };
    this.timer = setTimeout(patrol, 500).unref();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    for (const wake of this.active.values()) wake();
  }

  /** Works an operation off in the background; one that is waiting looks again at once, as after a change of its pace. */
  run(id: string): void {
    if (this.stopped) return;
    const wake = this.active.get(id);
    if (wake) wake();
    else {
      this.active.set(id, () => undefined);
      void this.work(id).finally(() => this.active.delete(id));
    }
  }

  private async adopt(): Promise<void> {
    this.patrols += 1;
    try {
      const thorough = this.patrols % THOROUGH_EVERY === 0;
      const { operations } = getBroker();
      for (const id of await operations.running({ thorough })) this.run(id);
      if (thorough) await operations.tidy();
    } catch (error) {
      log().debug({ err: error }, 'bulk runner: Redis could not be read');
    }
  }

  private async work(id: string): Promise<void> {
    while (!this.stopped) {
      try {
        const { operation, waitMs } = await this.turns.take(() =>
          getBroker().operations.step(id, this.id, { mayGoOn: allowed }),
        );
        if (operation.status !== 'running') return;
        // Between two slices everything else of this process gets its chance.
        await (waitMs > 0 ? this.pause(id, waitMs) : setImmediate());
      } catch (error) {
        if (!(await this.goesOn(id, error))) return;
        await this.pause(id, RETRY_MS);
      }
    }
  }

  private async goesOn(id: string, error: unknown): Promise<boolean> {
    if (passes(error)) return true;
    // Kept operations are bounded: it may have been forgotten meanwhile.
    if (error instanceof RedriveError && error.code === 'OPERATION_NOT_FOUND') return false;
    log().error({ err: error, operation: id }, 'operation failed');
    await getBroker()
      .operations.fail(id, sayable(error))
      .catch(() => undefined);
    return false;
  }

  private pause(id: string, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.active.set(id, () => {
        clearTimeout(timer);
        resolve();
      });
      if (this.stopped) resolve();
    });
  }
}

export const getBulkRunner = singleton('bulk-runner', () => new BulkRunner());
