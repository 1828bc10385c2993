import { claimRequestSchema } from '@/lib/contract/claims';
import { getBroker } from '@/lib/server/broker';
import { queueParams, requireQueue } from '@/lib/server/params';
import { route } from '@/lib/server/route';

export const POST = route({
  permission: 'work',
  params: queueParams,
  body: claimRequestSchema,
  handle: async ({ params, body }) => {
    await requireQueue(params.queue);
    const { jobs, paused, more, nextAt } = await getBroker().claim(params.queue, body);
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
