import { proofRequestSchema } from '@/lib/contract/access';
import { proveByPassword } from '@/lib/server/access/sign-in';
import { refuseMethods, route } from '@/lib/server/route';

/** Says once more who one is: destructive actions then ask no more for a while. */
export const POST = route({
  permission: 'signed-in',
  rate: 'sign-in',
  body: proofRequestSchema,
  handle: ({ body, principal, request, requestId }) =>
    proveByPassword({ request, requestId }, principal, body.password),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
