/**
 * Works off running operations, a step at a time. Any console may run any operation: each step is one script that moves
 * jobs, counts and cursor together, so two runners cannot move a job twice, and the next console goes on where one died.
 */
import { RedriveError } from '@/lib/contract/errors';
import type { Operation } from '@/lib/contract/operations';
import { getBroker } from './broker';
import { log } from './log';
import { singleton } from './singleton';

/** How often a console looks for operations whose runner died. */
const PATROL_MS = 5_000;
/** Steps yield to other work in between; this keeps a large operation from taking Redis for itself. */
const STEP_PAUSE_MS = 2;
const RETRY_MS = 1_000;
/** As many as are kept: however old a running operation is, some console adopts it. */
const OPERATIONS_SEEN = 500;

export class BulkRunner {
  private readonly active = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  start(): void {
    if (this.timer || this.stopped) return;
    const patrol = () => {
      void this.adopt().finally(() => {
        if (this.stopped) return;
        this.timer = setTimeout(patrol, PATROL_MS);
        this.timer.unref();
      });
    };
    this.timer = setTimeout(patrol, 500);
    this.timer.unref();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
  }

  /** Starts (or goes on with) an operation in the background. */
  run(id: string): void {
    if (this.active.has(id) || this.stopped) return;
    this.active.add(id);
    void this.work(id).finally(() => this.active.delete(id));
  }

  /** Works an operation off within a request. If this process dies midway, a patrol goes on. */
  async finish(operation: Operation): Promise<Operation> {
    let latest = operation;
    // The patrol of this process keeps off: two runners on the same ticked jobs would count each other's as skipped.
    this.active.add(operation.id);
    try {
      while (latest.status === 'running') latest = await getBroker().operations.step(operation.id);
      return latest;
    } finally {
      this.active.delete(operation.id);
    }
  }

  private async adopt(): Promise<void> {
    try {
      const { operations } = await getBroker().operations.list(OPERATIONS_SEEN);
      for (const { id, status } of operations) if (status === 'running') this.run(id);
    } catch (error) {
      log().debug({ err: error }, 'bulk runner: Redis could not be read');
    }
  }

  private async work(id: string): Promise<void> {
    while (!this.stopped) {
      try {
        const operation = await getBroker().operations.step(id);
        if (operation.status !== 'running') return;
        await pause(STEP_PAUSE_MS);
      } catch (error) {
        // A passing fault of Redis: the cursor is in Redis, so trying again is safe. Anything else ends the operation.
        if (
          error instanceof RedriveError &&
          ['UNKNOWN_OUTCOME', 'REDIS_UNAVAILABLE', 'REDIS_FULL'].includes(error.code)
        ) {
          await pause(RETRY_MS);
          continue;
        }
        log().error({ err: error, operation: id }, 'operation failed');
        await getBroker()
          .operations.fail(id, error instanceof Error ? error.message : String(error))
          .catch(() => undefined);
        return;
      }
    }
  }
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref();
  });

export const getBulkRunner = singleton('bulk-runner', () => new BulkRunner());
