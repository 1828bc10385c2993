/**
 * Runs operations, one slice at a time, all of them in turn. Any console may run any operation: scripts move each job once, and a lease says
 * which console runs it, so that another one continues when it dies.
 */

import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type CheckAuthorization, withoutPurse } from '@/lib/broker';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type BackgroundLoop, startBackgroundLoop } from '@/lib/process/background-loop';
import { operationStillAuthorized } from '../authorization/operation-still-authorized';
import { getBroker } from '../console-broker';
import { log } from '../console-log';
import { shownMessage } from '../shown-error';
import { singleton } from '../singleton';
import { WorkQueue } from './work-queue';

/** How often a console looks for operations without a runner. Together with the lease: how long a dead runner goes unnoticed. */
const PATROL_MS = 2_000;
const FIRST_PATROL_MS = 500;
/** Every so many patrols all kept operations are read, in case the list of open ones is damaged. */
const THOROUGH_EVERY = 30;
const RETRY_MS = 1_000;
/** Ten times the duration of a normal slice. A slower one lets the others go first. */
const TURN_MS = 250;
/** Temporary errors of Redis. The progress is stored there, so a retry is safe. */
const PASSING = new Set(['UNKNOWN_OUTCOME', 'REDIS_UNAVAILABLE', 'REDIS_FULL']);

const passes = (error: unknown): boolean => error instanceof RedriveError && PASSING.has(error.code);

/** An operation stops when its authorization cannot be checked. */
const allowed: CheckAuthorization = (record) =>
  operationStillAuthorized(record).catch((error: unknown) => {
    if (passes(error)) throw error;
    log().error(
      { err: error, operation: record.id },
      'the authorization of an operation could not be checked',
    );
    return {
      ok: false,
      sentence: 'The permissions of its user could not be checked. See the log of the console.',
    };
  });

export class OperationRunner {
  private readonly id = `runner-${randomBytes(8).toString('hex')}`;
  /** Ends the wait of each running operation. */
  private readonly active = new Map<string, () => void>();
  /** Shares Redis and this process among the operations. */
  private readonly turns = new WorkQueue(TURN_MS);
  private patrols = 0;
  private loop: BackgroundLoop | null = null;
  private stopped = false;

  start(): void {
    if (this.loop || this.stopped) return;
    this.loop = startBackgroundLoop({
      name: 'looking for operations',
      everyMs: PATROL_MS,
      firstInMs: FIRST_PATROL_MS,
      jitter: 0,
      keepsProcess: false,
      logger: log(),
      run: () => this.patrol(),
    });
  }

  stop(): void {
    this.stopped = true;
    void this.loop?.stop();
    for (const wake of this.active.values()) wake();
  }

  /** Runs an operation in the background; a waiting one continues at once, as after a change of its rate. */
  run(id: string): void {
    if (this.stopped) return;
    const wake = this.active.get(id);
    if (wake) wake();
    else {
      this.active.set(id, () => undefined);
      // Not on account of the request that starts it: its end is paid for.
      void withoutPurse(() => this.work(id)).finally(() => this.active.delete(id));
    }
  }

  private async patrol(): Promise<void> {
    this.patrols += 1;
    const thorough = this.patrols % THOROUGH_EVERY === 0;
    const { operations } = getBroker();
    for (const id of await operations.running({ thorough })) this.run(id);
    if (thorough) await operations.closeExpired();
  }

  private async work(id: string): Promise<void> {
    while (!this.stopped) {
      try {
        const { operation, waitMs } = await this.turns.take(() =>
          getBroker().operations.runSlice(id, this.id, { checkAuthorization: allowed }),
        );
        if (operation.status !== 'running') return;
        // Lets the rest of the process run between two slices.
        await (waitMs > 0 ? this.pause(id, waitMs) : setImmediate());
      } catch (error) {
        if (!(await this.canRetry(id, error))) return;
        await this.pause(id, RETRY_MS);
      }
    }
  }

  private async canRetry(id: string, error: unknown): Promise<boolean> {
    if (passes(error)) return true;
    // The number of kept operations is bounded: this one may be gone.
    if (error instanceof RedriveError && error.code === 'OPERATION_NOT_FOUND') return false;
    log().error({ err: error, operation: id }, 'operation failed');
    await getBroker()
      .operations.fail(id, shownMessage(error))
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

export const getOperationRunner = singleton('bulk-runner', () => new OperationRunner());
