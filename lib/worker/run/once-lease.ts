/** Renews the lease of one `once` run while it lives, and tells it to stop when it must not go on. */
import type { OnceVerbs } from '@/lib/broker/application';
import { CALL_DEADLINE_MS, withCallDeadline } from '../worker-deadline';
import { JobAborted } from '../worker-types';

export interface OnceLeaseOptions {
  renew(): ReturnType<OnceVerbs['begin']>;
  readonly leaseMs: number;
  /** By this process's monotonic clock, counted from before the call that won it. */
  readonly leaseEndsAtMs: number;
  readonly maxRunMs: number;
  /** The job's own: when it fires, renewing ends. */
  readonly signal: AbortSignal | undefined;
}
export interface OnceLease {
  readonly signal: AbortSignal;
  stop(): void;
}

export function renewOnceLease(options: OnceLeaseOptions): OnceLease {
  const { leaseMs, maxRunMs, signal: outer } = options;
  const controller = new AbortController();
  const overAtMs = performance.now() + maxRunMs;
  let leaseEndsAtMs = options.leaseEndsAtMs;
  let timer: NodeJS.Timeout | undefined;

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
    outer?.removeEventListener('abort', onOuterAbort);
  }
  function end(reason: unknown): void {
    stop();
    controller.abort(reason);
  }
  function onOuterAbort(): void {
    end(outer?.reason);
  }
  const lost = () =>
    end(new JobAborted('lease-lost', 'The lease of this once run was lost: another run may have begun.'));

  function schedule(): void {
    const now = performance.now();
    const next = Math.min(now + leaseMs / 3, leaseEndsAtMs, overAtMs);
    timer = setTimeout(() => void tick(), Math.max(1, Math.ceil(next - now)));
  }
  async function tick(): Promise<void> {
    const ticking = timer;
    const sentAtMs = performance.now();
    if (sentAtMs >= overAtMs)
      return end(new JobAborted('timeout', `A once run took longer than ${maxRunMs} ms.`));
    // Without word from Redis: once the lease is certainly over, someone else may have begun.
    if (sentAtMs >= leaseEndsAtMs) return lost();
    try {
      const call = options.renew();
      const leftMs = leaseEndsAtMs - sentAtMs;
      const { outcome } = await withCallDeadline(call, Math.min(CALL_DEADLINE_MS, leftMs), 'once');
      if (timer !== ticking) return;
      if (outcome !== 'started') return lost();
      leaseEndsAtMs = sentAtMs + leaseMs;
    } catch {
      // Asked again until the lease is over.
    }
    if (timer === ticking) schedule();
  }

  if (outer?.aborted) onOuterAbort();
  else {
    outer?.addEventListener('abort', onOuterAbort, { once: true });
    schedule();
  }
  return { signal: controller.signal, stop };
}
