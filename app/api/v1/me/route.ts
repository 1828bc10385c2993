import { RedriveError } from '@/lib/contract/errors';
import { personChangeSchema } from '@/lib/contract/person';
import { meOf } from '@/lib/server/access/me';
import { personCookie } from '@/lib/server/person';
import { jsonResponse, refuseMethods, route } from '@/lib/server/route';

export const GET = route({
  permission: 'signed-in',
  handle: async ({ principal }) => meOf(principal),
});

export const PUT = route({
  permission: 'signed-in',
  body: personChangeSchema,
  handle: async ({ principal, body, requestId }) => {
    if (principal.way !== 'none')
      throw new RedriveError(
        'FORBIDDEN',
        'Your name is that of your account. Only where nobody is asked who they are (AUTH=none) does one say it oneself.',
        { fields: [{ field: 'name', message: 'cannot be chosen' }] },
      );
    const me = meOf({ ...principal, name: body.name, chosen: true });
    const response = jsonResponse(me, 200, requestId);
    response.headers.append('set-cookie', personCookie(body.name));
    return response;
  },
});

export const { POST, PATCH, DELETE } = refuseMethods('GET', 'PUT');
