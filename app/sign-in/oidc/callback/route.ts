import { answerOidcCallback } from '@/lib/server/access/oidc-answers';

export const dynamic = 'force-dynamic';

/** Where the identity provider sends the browser back to. */
export const GET = (request: Request): Promise<Response> => answerOidcCallback(request);

/** A look must not use the code up. */
export const HEAD = GET;
