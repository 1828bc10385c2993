import { claimRequestSchema } from '@/lib/contract/claims';
import { queueParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

/** A key belongs to one claim: a worker takes a new one once it has an answer. */
export const POST = route({
  permission: 'work',
  rate: 'work',
  params: queueParams,
  body: claimRequestSchema,
  handle: async ({ broker, params, body }) => {
    const { jobs, paused, more, nextAt } = await broker.claims.claim(params.queue, body);
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

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
