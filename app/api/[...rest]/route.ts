import { RedriveError } from '@/lib/contract/errors';
import { route } from '@/lib/server/route';

/** Everything under /api that is no route: a problem document like any other, not a web page. */
const missing = route({
  permission: 'view',
  handle: async ({ request }) => {
    throw new RedriveError(
      'NOT_FOUND',
      `There is nothing at ${new URL(request.url).pathname.slice(0, 200)}.`,
      { fields: [{ field: 'path', message: 'names no route' }] },
    );
  },
});

export { missing as DELETE, missing as GET, missing as PATCH, missing as POST, missing as PUT };
