import { tokenRequestSchema } from '@/lib/contract/access/access-schemas';
import { createToken, listTokens } from '@/lib/server/authentication/api-tokens';
import { requestActor } from '@/lib/server/authorization/authorized-broker/request-context';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { allQuery } from '@/lib/server/http/path-params';

export const GET = route({
  permission: 'signed-in',
  query: allQuery,
  handle: ({ principal, query }) => listTokens(principal, query.all === '1'),
});

export const POST = route({
  permission: 'signed-in',
  body: tokenRequestSchema,
  status: 201,
  handle: ({ principal, requestId, idempotencyKey, body }) =>
    createToken(principal, body, requestActor({ principal, requestId, idempotencyKey })),
});

export const { PUT, PATCH, DELETE } = refuseMethods('GET', 'POST');
