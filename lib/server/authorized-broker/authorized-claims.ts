/** Claims over HTTP, for workers in other languages. A claim takes the next job of any tenant, so it needs the whole queue. */
import type { z } from 'zod';
import { type ClaimResult, idFrom } from '@/lib/broker';
import { CLAIM_ACTIONS, type ClaimAction, type claimRequestSchema } from '@/lib/contract/jobs/claim-requests';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { Principal } from '../authentication/principal';
import { requireWholeQueue } from '../authorization/require-permission';
import { getBroker } from '../console-broker';
import { intentId, type RequestContext, requireQueue } from './request-context';

/** A claim shows full payloads and leaves no audit event, so it is for programs with tokens. @throws RedriveError FORBIDDEN */
function requireToken({ method, name }: Principal): void {
  if (method === 'token' || method === 'none') return;
  throw new RedriveError(
    'FORBIDDEN',
    `Claims are for programs: send an API token with the role "worker". ${name} is signed in as a user. Nothing was changed.`,
    { fields: [{ field: 'Authorization', message: 'send a token' }] },
  );
}

export function authorizedClaims(context: RequestContext) {
  const whole = async (queue: string) => {
    requireWholeQueue(context.principal, 'work', queue);
    requireToken(context.principal);
    await requireQueue(queue);
  };
  return {
    /**
     * After a lost reply the client sends the claim again with the same Idempotency-Key: the claimed jobs are then released first, without
     * using an attempt, and their old claim tokens become stale.
     */
    async claim(queue: string, body: z.output<typeof claimRequestSchema>): Promise<ClaimResult> {
      await whole(queue);
      const intent = intentId(context);
      // The nonce contains the principal: another client with the same key cannot release these jobs.
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
          `The claim on ${jobId} is no longer held: its lease expired, or the job was settled. Nothing was changed.`,
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
