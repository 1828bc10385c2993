import type { Actor } from '@/lib/broker/access/actor';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import { operationActor, scopeSummary } from '../rules/operation-summary';
import { loadPayloadCheck, type PayloadCheck } from './edit-payload';

type RecordField = 'id' | 'kind' | 'target' | 'patch' | 'dueAt' | 'includeUnsafe' | 'undoes';

/** The fields of an operation that the scripts of a shard need. */
export interface MoveSpec extends Readonly<Pick<OperationRecord, RecordField>> {
  /** The state of its jobs. The script of a recall finds it out: they may be ready, held or retrying by now. */
  readonly state: JobState;
  readonly by: Actor;
  /** edit: checks the result against the handler's schema. */
  readonly check?: PayloadCheck | null;
  /** Jobs that came back to dead after it are skipped. */
  readonly cutoff?: number | null;
  /** One line on the operation, for the change log of the queue. */
  readonly summary?: string;
}

export const toMoveSpec = (record: OperationRecord): MoveSpec => ({
  ...record,
  state: record.scope.state,
  // A job's history names the operation where a single action has its request id.
  by: operationActor(record),
  summary: scopeSummary(record),
});

/** For an edit with the handlers' schemas. */
export const toCheckedMoveSpec = async (ctx: BrokerContext, record: OperationRecord): Promise<MoveSpec> =>
  record.kind === 'edit' ? { ...toMoveSpec(record), check: await loadPayloadCheck(ctx) } : toMoveSpec(record);
