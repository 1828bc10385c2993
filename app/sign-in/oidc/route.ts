import { answerOidcStart } from '@/lib/server/authentication/identity-provider/oidc-answers';

export const dynamic = 'force-dynamic';

/** Sends the browser to the identity provider. */
export const GET = (request: Request): Promise<Response> => answerOidcStart(request);
