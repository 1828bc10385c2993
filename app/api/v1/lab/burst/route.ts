import { RedriveError } from '@/lib/contract/errors';
import { labBurstSchema } from '@/lib/contract/lab';
import { getBroker } from '@/lib/server/broker';
import { requireLab } from '@/lib/server/lab';
import { route } from '@/lib/server/route';

export const POST = route({
  permission: 'lab',
  body: labBurstSchema,
  status: 202,
  handle: async ({ body }) => {
    requireLab();
    if (!(await getBroker().lab.requestBurst(body.jobs)))
      throw new RedriveError(
        'LIMIT_REACHED',
        'Fifty bursts wait already: no demo worker takes them up. Start one with npm run worker.',
      );
    return { enqueued: body.jobs };
  },
});
