/**
 * Remembers the end of the audit log as this console saw it last. Entries that are cut off or rewritten in Redis no longer fit to it, nor
 * to the console's own log.
 */
import type { Broker, DatasetLoss } from '@/lib/broker';
import { log } from '../console-log';

const SAY_EVERY_MS = 600_000;

interface End {
  readonly n: number;
  readonly hash: string;
}

export class AuditHeadWatch {
  private seen: End | null = null;
  private said: End | null = null;
  private saidLoss: DatasetLoss | null = null;
  private saidAtMs = Number.NEGATIVE_INFINITY;

  /** Call it before collecting: afterwards new entries may hide a gap. */
  async look(
    audit: Pick<Broker['audit'], 'head' | 'hashAt' | 'note'>,
    dataset: Pick<Broker['dataset'], 'look' | 'state'>,
  ): Promise<void> {
    const head = await audit.head();
    const { seen } = this;
    const gap = seen === null ? null : await this.missing(audit, seen, head);
    // Redis may have lost its data since the last look at the data, and then nothing was cut off. The first look may have begun before.
    if (gap !== null) {
      await dataset.look();
      await dataset.look();
    }
    const { loss } = dataset.state();
    const missing = gap !== null && seen !== null && this.isNew(loss) ? beginsAnew(seen, loss) : gap;
    this.saidLoss = loss;
    if (seen !== null && missing !== null) {
      log().error({ seen, head: { n: head.n, hash: head.hash } }, missing);
      await audit.note(
        {
          action: 'audit.gap',
          object: { kind: 'audit', id: 'log' },
          before: `${seen.n} ${seen.hash}`,
          after: missing,
        },
        { actor: 'redrive' },
      );
    }
    this.remember(head);
    if (performance.now() - this.saidAtMs > SAY_EVERY_MS) this.say();
  }

  remember({ n, hash }: End): void {
    this.seen = { n, hash };
  }

  /** Logs number and hash, for readers of the console's log. Nothing when no event was added since. */
  say(): void {
    const { seen } = this;
    if (seen === null || seen.n === 0 || seen.hash === this.said?.hash) return;
    this.said = seen;
    this.saidAtMs = performance.now();
    log().info({ n: seen.n, hash: seen.hash }, 'head of the audit log');
  }

  private isNew(loss: DatasetLoss | null): loss is DatasetLoss {
    return loss !== null && loss !== this.saidLoss;
  }

  private async missing(
    audit: Pick<Broker['audit'], 'head' | 'hashAt'>,
    seen: End,
    head: End & { readonly base: End },
  ): Promise<string | null> {
    if (head.n < seen.n)
      return `This console saw the audit log end with entry ${seen.n}, and now it ends with ${head.n}: its newest entries were cut off, or lost with a failover of Redis.`;
    if (seen.n <= head.base.n) return null;
    const hash = head.n === seen.n ? head.hash : await audit.hashAt(seen.n);
    if (hash === seen.hash) return null;
    // Trimmed by another console meanwhile.
    if (hash === null && (await audit.head()).base.n >= seen.n) return null;
    return `Entry ${seen.n} of the audit log differs from the entry that this console saw: the end of the log was cut off, or lost with a failover of Redis, and written anew.`;
  }
}

const beginsAnew = (seen: End, { lastSeenAt }: DatasetLoss): string =>
  `The audit log begins anew: this Redis lost its data at ${new Date(lastSeenAt).toISOString()}. This console saw the log before it end with entry ${seen.n}.`;
