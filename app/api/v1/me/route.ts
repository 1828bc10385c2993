import { personChangeSchema } from '@/lib/contract/person';
import { personCookie, personOf } from '@/lib/server/person';
import { jsonResponse, route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  handle: async ({ request }) => personOf(request),
});

export const PUT = route({
  permission: 'view',
  body: personChangeSchema,
  handle: async ({ body, requestId }) => {
    const response = jsonResponse({ name: body.name, chosen: true }, 200, requestId);
    response.headers.append('set-cookie', personCookie(body.name));
    return response;
  },
});
