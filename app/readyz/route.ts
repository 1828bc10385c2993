import { getBroker } from '@/lib/server/broker';
import { route } from '@/lib/server/route';

export const dynamic = 'force-dynamic';

/** Ready to serve: Redis answers and may hold jobs. 503 with the reason otherwise. */
export const GET = route({
  permission: 'view',
  handle: async () => {
    const broker = getBroker();
    const { version } = await broker.ready();
    return { status: 'ready', redis: version, at: await broker.now() };
  },
});
