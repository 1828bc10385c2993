/** Operations as a person and a console go through them: preview, confirm, and steps until it rests. */
import type { Actor } from '@/lib/broker';
import type { Operation } from '@/lib/contract/operations/operation';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import type { OperationRequest, PreviewRequest, Scope } from '@/lib/contract/operations/operation-request';
import type { Broker } from '@/testing/create-broker';
import { BY } from './world';

export interface Wanted extends Partial<Omit<PreviewRequest, 'kind' | 'scope'>> {
  kind: OperationKind;
  /** Left out: everything dead. */
  q?: string;
  jobs?: Scope['jobs'];
  state?: Scope['state'];
  queue?: string;
}
type Control = Partial<Omit<OperationRequest, 'previewToken' | 'reason'>>;

/** Previews and confirms at once, as somebody who looks at nothing would. */
export async function startOperation(
  broker: Broker,
  wanted: Wanted,
  { control = {}, by = BY }: { control?: Control; by?: Actor & { reason: string } } = {},
): Promise<Operation> {
  const preview = await previewOf(broker, wanted, by);
  return broker.operations.start(
    {
      previewToken: preview.token,
      reason: by.reason,
      ...(preview.typedCount === null ? {} : { typedCount: preview.typedCount }),
      ...control,
    },
    by,
  );
}

export function previewOf(
  broker: Broker,
  { kind, q = '', jobs, state = 'dead', queue, ...rest }: Wanted,
  by: Actor = BY,
) {
  const scope = { state, ...(jobs ? { jobs } : { q }), ...(queue === undefined ? {} : { queue }) };
  return broker.operations.preview({ kind, scope, ...rest }, by);
}

/** Steps it until it has ended, or rests (paused, waiting for somebody). `next` gives the broker of each step. */
export async function runToEnd(
  next: Broker | (() => Broker),
  id: string,
  {
    most = 1_000,
    runner = 'runner-1',
    onStep,
  }: {
    most?: number;
    runner?: string;
    onStep?: (operation: Operation, waitMs: number) => void | Promise<void>;
  } = {},
): Promise<Operation> {
  for (let steps = 0; steps < most; steps++) {
    const broker = typeof next === 'function' ? next() : next;
    const { operation, waitMs } = await broker.operations.runSlice(id, runner);
    if (operation.status !== 'running') return operation;
    await onStep?.(operation, waitMs);
  }
  throw new Error(`operation ${id} did not end within ${most} steps`);
}

/** All of it: preview, confirm, work off. */
export async function operate(
  broker: Broker,
  wanted: Wanted,
  options: Parameters<typeof startOperation>[2] = {},
): Promise<Operation> {
  const { id } = await startOperation(broker, wanted, options);
  return runToEnd(broker, id);
}
