/** Claims over HTTP, for workers in other languages. Who claims takes whatever is next, of all tenants: so it takes the whole queue. */
import type { z } from 'zod';
import { type ClaimResult, idFrom } from '@/lib/broker';
import { CLAIM_ACTIONS, type ClaimAction, type claimRequestSchema } from '@/lib/contract/claims';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { needQueue } from '../access/need';
import type { Principal } from '../access/principal';
import { getBroker } from '../broker';
import { type Caller, intentOf } from './caller';
import { requireQueue } from './exists';

/**
 * A claim shows payloads whole and ends jobs, and no record but the job's own history has it: it is for programs, which have tokens.
 * @throws RedriveError FORBIDDEN
 */
function needProgram({ way, name }: Principal): void {
  if (way === 'token' || way === 'none') return;
  throw new RedriveError(
    'FORBIDDEN',
    `Claims are for programs: give yours a token with the role "worker". ${name} is signed in as a person. Nothing was changed.`,
    { fields: [{ field: 'Authorization', message: 'send a token' }] },
  );
}

export function guardedClaims(caller: Caller) {
  const whole = async (queue: string) => {
    needQueue(caller.principal, 'work', queue);
    needProgram(caller.principal);
    await requireQueue(queue);
  };
  return {
    /**
     * With an Idempotency-Key a claim whose reply was lost is recovered by sending it again: the jobs that the same worker of the
     * same caller got under the same key are given back first, without burning an attempt, and their old tokens become stale.
     */
    async claim(queue: string, body: z.output<typeof claimRequestSchema>): Promise<ClaimResult> {
      await whole(queue);
      const intent = intentOf(caller);
      // Nobody can give back somebody else's jobs by choosing the same key.
      const nonce = intent === null ? undefined : idFrom('claim', body.worker, intent);
      if (nonce !== undefined) await getBroker().abandon(queue, nonce);
      return getBroker().claim(queue, { ...body, nonce });
    },

    /** @throws RedriveError STALE_CLAIM */
    async settle(
      queue: string,
      jobId: string,
      action: ClaimAction,
      body: unknown,
    ): Promise<{ outcome: string }> {
      await whole(queue);
      const outcome = await SETTLE[action](queue, jobId, body);
      if (outcome === 'stale')
        throw new RedriveError(
          'STALE_CLAIM',
          `The claim on ${jobId} is no longer held: its lease ran out, or someone else ended it. Nothing was changed.`,
          {
            fields: [{ field: 'token', message: 'is not the current claim token' }],
          },
        );
      return { outcome };
    },
  };
}

const SETTLE: Record<ClaimAction, (queue: string, jobId: string, body: unknown) => Promise<string>> = {
  ack: async (queue, jobId, body) => {
    const { token, result } = parseOrThrow(CLAIM_ACTIONS.ack, body, 'body');
    return (await getBroker().ack(queue, [{ jobId, token, result }]))[0] ?? 'stale';
  },
  fail: async (queue, jobId, body) => {
    const { token, ...failure } = parseOrThrow(CLAIM_ACTIONS.fail, body, 'body');
    return (await getBroker().fail(queue, [{ jobId, token, failure }]))[0] ?? 'stale';
  },
  extend: async (queue, jobId, body) => {
    const { token, leaseMs } = parseOrThrow(CLAIM_ACTIONS.extend, body, 'body');
    return (await getBroker().extend(queue, [{ jobId, token }], leaseMs))[0] ?? 'stale';
  },
  release: async (queue, jobId, body) => {
    const { token } = parseOrThrow(CLAIM_ACTIONS.release, body, 'body');
    return (await getBroker().release(queue, [{ jobId, token }]))[0] ?? 'stale';
  },
};
