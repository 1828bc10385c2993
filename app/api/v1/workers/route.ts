import { route } from '@/lib/server/route';
import { getSampler } from '@/lib/server/sampler';

export const GET = route({
  permission: 'view',
  handle: async () => (await getSampler().current()).workers,
});
