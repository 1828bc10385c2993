import { accessRoutes } from '@/lib/contract/api/access-routes';
import { createToken, listTokens } from '@/lib/server/access/api-tokens';
import { requestActor } from '@/lib/server/authorized-broker/request-context';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(accessRoutes.listTokens, {
  handle: ({ principal, query }) => listTokens(principal, query.all === '1'),
});

export const POST = route(accessRoutes.createToken, {
  handle: ({ principal, requestId, idempotencyKey, body }) =>
    createToken(principal, body, requestActor({ principal, requestId, idempotencyKey })),
});

export const { PUT, PATCH, DELETE } = refuseMethods('GET', 'POST');
