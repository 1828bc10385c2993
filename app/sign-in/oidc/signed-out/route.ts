import { answerOidcSignedOut } from '@/lib/server/access/oidc-answers';

export const dynamic = 'force-dynamic';

/** Where the identity provider sends the browser back to once somebody has signed out there. */
export const GET = (request: Request): Promise<Response> => answerOidcSignedOut(request);
export const HEAD = GET;
