/** The pieces of the plain design that cost the client alone: what is done around a job's handler. */
import { z } from 'zod';
import { decodeEnvelope } from '@/lib/broker/jobs/job-row';
import { activeTracer } from '@/lib/tracing/active-tracer';
import { Breaker } from '@/lib/worker/run/circuit-breaker';
import { JOB_TYPE } from '../sides/bench-side';
import { registerTracer } from '../sides/quiet-tracer';
import type { PieceChoice, PieceName } from './pieces';

const TIMEOUT_MS = 30_000;
const schema = z.object({ n: z.number(), at: z.string(), text: z.string() });

interface Body {
  n: number;
  at: string;
}
type Handle = (n: number, at: string) => void | Promise<void>;
type Run = (row: string, id: string) => void | Promise<void>;
type Wrap = (next: Run, isUsed: boolean) => Run;

/** The job's handler with the pieces around it; the last one is called first. */
export function composeRun(handle: Handle, { pieces, inUse }: PieceChoice): Run {
  const check = pieces.includes('zod')
    ? (body: unknown) => schema.parse(body)
    : (body: unknown) => body as Body;
  const bare: Run = (row) => {
    const { n, at } = check(JSON.parse(row.slice(payloadAt(row))));
    return handle(n, at);
  };
  return pieces.reduce((run, name) => WRAPS[name]?.(run, inUse.includes(name)) ?? run, bare);
}

/** Behind the two lines of the head. */
const payloadAt = (row: string): number => row.indexOf('\n', row.indexOf('\n') + 1) + 1;

/** Calls `end` when the run is over, without a promise where there is none. */
function whenOver(run: void | Promise<void>, end: () => void): void | Promise<void> {
  if (run instanceof Promise) return run.finally(end);
  end();
}

const WRAPS: Partial<Record<PieceName, Wrap>> = {
  tracing(next, isUsed) {
    if (isUsed) registerTracer();
    return (row, id) => {
      const tracer = activeTracer();
      if (!tracer) return next(row, id);
      const span = tracer.startSpan('redrive.process', { attributes: { 'messaging.message.id': id } });
      return whenOver(next(row, id), () => span.end());
    };
  },
  breaker(next, isUsed) {
    const breakers = new Map<string, Breaker>();
    if (isUsed) breakers.set(JOB_TYPE, new Breaker({}, () => performance.now()));
    return (row, id) => {
      const breaker = breakers.get(JOB_TYPE);
      const admission = breaker?.admit();
      if (!breaker || !admission || !('ticket' in admission)) return next(row, id);
      return whenOver(next(row, id), () => breaker.settle(admission.ticket, 'success'));
    };
  },
  timer(next) {
    return (row, id) => {
      const timer = setTimeout(() => undefined, TIMEOUT_MS);
      return whenOver(next(row, id), () => clearTimeout(timer));
    };
  },
  envelope(next) {
    return (row, id) => {
      const envelope = decodeEnvelope(id, row.slice(0, payloadAt(row) - 1));
      if (!envelope) throw new Error(`The row of ${id} cannot be read.`);
      return next(row, id);
    };
  },
};
