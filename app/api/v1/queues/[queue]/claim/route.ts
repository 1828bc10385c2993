import { jobRoutes } from '@/lib/contract/api/job-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

/** An Idempotency-Key belongs to one claim: a worker chooses a new one after each response. */
export const POST = route(jobRoutes.claimJobs, {
  rate: 'work',
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
