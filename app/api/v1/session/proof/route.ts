import { proofRequestSchema } from '@/lib/contract/access';
import { proveByPassword } from '@/lib/server/access/sign-in';
import { jsonResponse, refuseMethods, route } from '@/lib/server/route';

/** Says once more who one is: destructive actions then ask no more for a while, and the session has a new cookie. */
export const POST = route({
  permission: 'signed-in',
  rate: 'sign-in',
  body: proofRequestSchema,
  handle: async ({ body, principal, request, requestId }) => {
    const visit = { request, requestId };
    const { provedUntil, cookie } = await proveByPassword(visit, principal, body.password);
    const response = jsonResponse({ provedUntil }, 200, requestId);
    response.headers.append('set-cookie', cookie);
    return response;
  },
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
