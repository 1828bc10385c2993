import { answerOidcCallback } from '@/lib/server/authentication/identity-provider/oidc-answers';

export const dynamic = 'force-dynamic';

/** Where the identity provider sends the browser back to. */
export const GET = (request: Request): Promise<Response> => answerOidcCallback(request);

/** HEAD must not use up the code. */
export const HEAD = GET;
