/** The frame of the verbs a person uses on jobs by id. Each is safe to repeat: a job already moved is reported, not moved twice. */
import type { BrokerContext } from '../context';
import type { ScriptName } from '../lua.generated';
import { type Actor, actorNote } from '../note';
import { outcomes } from '../reply';
import { idBatches } from './batch';

export type TriageOutcome =
  | 'ok'
  | 'wrong-state'
  | 'not-found'
  | 'deadline-passed'
  | 'unreadable'
  /** Another job has its uniqueness key. */
  | 'not-unique'
  | 'in-flight';
export type TriageVerb = (
  ctx: BrokerContext,
  queue: string,
  ids: readonly string[],
  by: Actor,
  /** Jobs of other tenants are as if they were not there. Left out: jobs of all. */
  tenants?: readonly string[],
) => Promise<TriageOutcome[]>;

/** 50 jobs a script keeps even the largest history rewrites under a millisecond or two. */
const SCRIPT_MAX_JOBS = 50;

export const MOVED_OR_NOT = { 1: 'ok', 0: 'wrong-state' } as const;

export function triageVerb(script: ScriptName, table: Readonly<Record<number, TriageOutcome>>): TriageVerb {
  return (ctx, queue, ids, by, tenants = []) =>
    idBatches(ids, SCRIPT_MAX_JOBS, async (part) =>
      outcomes(await ctx.run(script, queue, [actorNote(by), tenants.join(' '), ...part]), script, table),
    );
}
