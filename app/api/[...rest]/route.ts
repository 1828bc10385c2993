import { noSuchPage } from '@/lib/contract/not-found-errors';
import { route } from '@/lib/server/routes/api-route';

/** Everything under /api that is no route: a problem document like any other, not a web page. */
const missing = route(
  { permission: 'signed-in' },
  {
    handle: async ({ request }) => {
      throw noSuchPage(new URL(request.url).pathname);
    },
  },
);

export { missing as DELETE, missing as GET, missing as PATCH, missing as POST, missing as PUT };
