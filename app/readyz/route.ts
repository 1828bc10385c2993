import { readiness } from '@/lib/server/readiness';
import { route } from '@/lib/server/route';

export const dynamic = 'force-dynamic';

/** Ready to serve: Redis answers and may hold jobs. 503 otherwise. Open to all, who learn no more than that; see readiness.ts. */
export const GET = route({
  permission: 'nobody',
  rate: 'unlimited',
  handle: ({ request }) => readiness(request),
});
