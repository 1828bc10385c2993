/** What a place needs to know of an operation to move its jobs. */
import type { OperationRecord } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import type { Actor } from '../note';
import { setWords } from './about';
import { payloadCheck } from './edits';
import type { MoveSpec } from './move';

/** Who answers for what an operation does, as records have it. */
export const operationActor = (record: OperationRecord): Actor => ({
  ...(record.rights ?? { actor: record.actor }),
  reason: record.reason,
  requestId: record.id,
});

export const specOf = (record: OperationRecord): MoveSpec => ({
  id: record.id,
  kind: record.kind,
  state: record.scope.state,
  // In a job's history the operation stands where a single action has its request.
  by: operationActor(record),
  target: record.target,
  patch: record.patch,
  dueAt: record.dueAt,
  includeUnsafe: record.includeUnsafe,
  cutoff: record.cutoff,
  undoes: record.undoes,
  about: setWords(record),
});

/** With what an edit is checked by. */
export const fullSpecOf = async (ctx: BrokerContext, record: OperationRecord): Promise<MoveSpec> =>
  record.kind === 'edit' ? { ...specOf(record), check: await payloadCheck(ctx) } : specOf(record);
