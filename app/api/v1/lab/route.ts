import { labSettingsSchema } from '@/lib/contract/lab';
import { getBroker } from '@/lib/server/broker';
import { requireLab } from '@/lib/server/lab';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  handle: () => {
    requireLab();
    return getBroker().lab.state();
  },
});

export const PUT = route({
  permission: 'lab',
  body: labSettingsSchema,
  handle: async ({ body }) => {
    requireLab();
    await getBroker().lab.save(body);
    return getBroker().lab.state();
  },
});
