import { linkRequestSchema } from '@/lib/contract/access';
import { signInByLink } from '@/lib/server/access/link';
import { jsonResponse, refuseMethods, route } from '@/lib/server/route';

/** Signs in by the one-time link that the console printed. */
export const POST = route({
  permission: 'nobody',
  rate: 'sign-in',
  body: linkRequestSchema,
  handle: async ({ body, request, requestId }) => {
    const { signedIn, cookie } = await signInByLink({ request, requestId }, body.code);
    const response = jsonResponse(signedIn, 200, requestId);
    response.headers.append('set-cookie', cookie);
    return response;
  },
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
