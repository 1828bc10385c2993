import { tokenRequestSchema } from '@/lib/contract/access';
import { allQuery } from '@/lib/server/access/params';
import { createToken, listTokens } from '@/lib/server/access/tokens';
import { actor } from '@/lib/server/guarded/caller';
import { refuseMethods, route } from '@/lib/server/route';

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
    createToken(principal, body, actor({ principal, requestId, idempotencyKey })),
});

export const { PUT, PATCH, DELETE } = refuseMethods('GET', 'POST');
