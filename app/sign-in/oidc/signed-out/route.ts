import { answerOidcSignedOut } from '@/lib/server/authentication/identity-provider/oidc-answers';

export const dynamic = 'force-dynamic';

/** Where the identity provider sends the browser after signing out. */
export const GET = (request: Request): Promise<Response> => answerOidcSignedOut(request);
export const HEAD = GET;
