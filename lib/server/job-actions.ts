/** What can be done to one job over HTTP: an operator's actions and a claim holder's, each in one line. */
import type { Broker, TriageOutcome } from '@/lib/broker';
import { actionRequestSchema } from '@/lib/contract/api';
import { CLAIM_ACTIONS, type ClaimAction } from '@/lib/contract/claims';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { JOB_ACTIONS, type JobAction } from '@/lib/contract/job';
import { requirePermission, type Session } from './session';

interface Target {
  broker: Broker;
  queue: string;
  jobId: string;
  session: Session;
  requestId: string;
}

/** @throws RedriveError for an unknown action, a missing permission, a bad body, a wrong state or a stale claim */
export async function actOnJob(target: Target, action: string, body: unknown): Promise<{ outcome: string }> {
  if (Object.hasOwn(JOB_ACTIONS, action)) return operate(target, action as JobAction, body);
  if (Object.hasOwn(CLAIM_ACTIONS, action)) return settle(target, action as ClaimAction, body);
  const known = [...Object.keys(JOB_ACTIONS), ...Object.keys(CLAIM_ACTIONS)].join(', ');
  throw new RedriveError('NOT_FOUND', `A job has no action ${action}. There are: ${known}.`, {
    fields: [{ field: 'action', message: 'is unknown' }],
  });
}

async function operate(
  { broker, queue, jobId, session, requestId }: Target,
  action: JobAction,
  body: unknown,
) {
  requirePermission(session, action === 'remove' || action === 'purge' ? 'destroy' : 'operate');
  const { reason } = parseOrThrow(actionRequestSchema, body, 'body');
  const by = { actor: session.actor, reason, requestId };
  const [outcome] = await broker[action](queue, [jobId], by);
  if (outcome === 'ok') return { outcome: 'ok' };
  const { state } = await broker.inspect.job(queue, jobId);
  throw refusal(action, outcome ?? 'wrong-state', jobId, state);
}

function refusal(action: JobAction, outcome: TriageOutcome, jobId: string, state: string): RedriveError {
  const from = JOB_ACTIONS[action].join(', ');
  const sentence: Partial<Record<TriageOutcome, string>> = {
    'deadline-passed': `The deadline of ${jobId} has passed, so running it again would be worthless. Nothing was changed.`,
    unreadable: `The stored row of ${jobId} cannot be read. Nothing was changed.`,
    'not-unique': `Another job has the uniqueness key of ${jobId}: wait until it is done, or cancel it. Nothing was changed.`,
    'in-flight': `${jobId} is in flight. Cancel it first; then it can be deleted. Nothing was changed.`,
  };
  return new RedriveError(
    'WRONG_STATE',
    sentence[outcome] ?? `${jobId} is ${state}; ${action} is for jobs that are ${from}. Nothing was changed.`,
    {
      fields: [{ field: 'id', message: `is ${state}` }],
    },
  );
}

async function settle(target: Target, action: ClaimAction, body: unknown) {
  requirePermission(target.session, 'work');
  const outcome = await SETTLE[action](target, body);
  if (outcome === 'stale')
    throw new RedriveError(
      'STALE_CLAIM',
      `The claim on ${target.jobId} is no longer held: its lease ran out, or someone else ended it. Nothing was changed.`,
      {
        fields: [{ field: 'token', message: 'is not the current claim token' }],
      },
    );
  return { outcome };
}

const SETTLE: Record<ClaimAction, (target: Target, body: unknown) => Promise<string>> = {
  ack: async ({ broker, queue, jobId }, body) => {
    const { token, result } = parseOrThrow(CLAIM_ACTIONS.ack, body, 'body');
    return (await broker.ack(queue, [{ jobId, token, result }]))[0] ?? 'stale';
  },
  fail: async ({ broker, queue, jobId }, body) => {
    const { token, ...failure } = parseOrThrow(CLAIM_ACTIONS.fail, body, 'body');
    return (await broker.fail(queue, [{ jobId, token, failure }]))[0] ?? 'stale';
  },
  extend: async ({ broker, queue, jobId }, body) => {
    const { token, leaseMs } = parseOrThrow(CLAIM_ACTIONS.extend, body, 'body');
    return (await broker.extend(queue, [{ jobId, token }], leaseMs))[0] ?? 'stale';
  },
  release: async ({ broker, queue, jobId }, body) => {
    const { token } = parseOrThrow(CLAIM_ACTIONS.release, body, 'body');
    return (await broker.release(queue, [{ jobId, token }]))[0] ?? 'stale';
  },
};
