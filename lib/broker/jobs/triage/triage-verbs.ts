/** Changes to jobs by id, in one shard. Each is safe to repeat: a job already moved is reported, not moved twice. */
import { type Actor, actorJson } from '@/lib/broker/access/actor';
import type { ScriptName } from '@/lib/broker/lua.generated';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { replyOutcomes } from '@/lib/broker/redis/script-reply';
import { inBatches } from '../job-batches';

export type TriageOutcome =
  | 'ok'
  | 'wrong-state'
  | 'not-found'
  | 'deadline-passed'
  | 'unreadable'
  /** Another job has its uniqueness key. */
  | 'not-unique'
  | 'in-flight';

/** 50 jobs a script keeps even the largest history rewrites under a millisecond or two. */
const SCRIPT_MAX_JOBS = 50;
const MOVED_OR_NOT = { 1: 'ok', 0: 'wrong-state' } as const;

/** Each by its script, its reply codes, and by what an error calls the change. */
export const TRIAGE_VERBS = {
  /** Scheduled or retrying jobs become ready now. */
  promote: { script: 'promote', what: 'The promotion', outcomes: MOVED_OR_NOT },
  /** Jobs that have not ended are stopped: dead, class `cancelled`. A running one loses its claim, so its worker aborts it. */
  cancel: {
    script: 'cancel',
    what: 'The cancellation',
    outcomes: { 1: 'ok', 0: 'wrong-state', [-1]: 'not-found' },
  },
  /** Deletes jobs forever, from any state but in-flight: cancel a running job first. The queue's list of changes says who did it and why. */
  remove: {
    script: 'delete',
    what: 'The removal',
    outcomes: { 1: 'ok', 0: 'in-flight', [-1]: 'not-found' },
  },
  /** Dead or suppressed jobs go back to ready with a fresh attempt budget and a trace of who sent them. */
  redrive: {
    script: 'redrive',
    what: 'The re-drive',
    outcomes: {
      1: 'ok',
      0: 'wrong-state',
      [-1]: 'not-found',
      [-2]: 'deadline-passed',
      [-3]: 'unreadable',
      [-4]: 'not-unique',
    },
  },
  /** Dead jobs are set aside as knowingly ignored. */
  suppress: { script: 'set-aside', what: 'The suppression', outcomes: MOVED_OR_NOT },
  /** Dead or suppressed jobs go to the trash, from where they can be restored until their grace ends. */
  purge: { script: 'set-aside', what: 'The purge', outcomes: MOVED_OR_NOT },
  /** Trashed or suppressed jobs are dead letters again, as of when they died. */
  restore: { script: 'restore', what: 'The restoration', outcomes: MOVED_OR_NOT },
} as const satisfies Record<
  string,
  { script: ScriptName; what: string; outcomes: Readonly<Record<number, TriageOutcome>> }
>;
export type TriageVerb = keyof typeof TRIAGE_VERBS;

/** @param tenants jobs of other tenants are as if they were not there; empty: jobs of all */
export const triageInShard = (
  ctx: BrokerContext,
  verb: TriageVerb,
  queue: string,
  ids: readonly string[],
  by: Actor,
  tenants: readonly string[],
): Promise<TriageOutcome[]> =>
  inBatches(ids, SCRIPT_MAX_JOBS, async (part) =>
    replyOutcomes<TriageOutcome>(
      // No operation: the jobs are named.
      await ctx.run(TRIAGE_VERBS[verb].script, queue, ['', actorJson(by), verb, tenants.join(' '), ...part]),
      verb,
      TRIAGE_VERBS[verb].outcomes,
    ),
  );
