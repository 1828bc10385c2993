import { claimRequestSchema } from '@/lib/contract/claims';
import { getBroker } from '@/lib/server/broker';
import { nonceOf } from '@/lib/server/claim';
import { queueParams, requireQueue } from '@/lib/server/params';
import { route } from '@/lib/server/route';

/**
 * With an Idempotency-Key a claim whose reply was lost is recovered by sending it again: the jobs that the same worker got
 * under the same key are given back first, without burning an attempt, and their old tokens become stale. So a key belongs
 * to one claim: a worker takes a new one once it has an answer.
 */
export const POST = route({
  permission: 'work',
  params: queueParams,
  body: claimRequestSchema,
  handle: async ({ params, body, idempotencyKey }) => {
    await requireQueue(params.queue);
    const nonce = nonceOf(body.worker, idempotencyKey);
    if (nonce !== undefined) await getBroker().abandon(params.queue, nonce);
    const { jobs, paused, more, nextAt } = await getBroker().claim(params.queue, { ...body, nonce });
    return {
      paused,
      more,
      nextAt,
      jobs: jobs.map(({ token, attempt, delivery, leaseUntil, envelope, payload }) => {
        const text = payload.toString('utf8');
        const payloadIsText = Buffer.from(text, 'utf8').equals(payload);
        return {
          token,
          attempt,
          delivery,
          leaseUntil,
          envelope,
          payloadIsText,
          payload: payloadIsText ? text : payload.toString('base64'),
        };
      }),
    };
  },
});
