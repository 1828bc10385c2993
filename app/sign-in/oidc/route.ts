import { answerOidcStart } from '@/lib/server/access/oidc-answers';

export const dynamic = 'force-dynamic';

/** Sends the browser to the identity provider. */
export const GET = (request: Request): Promise<Response> => answerOidcStart(request);
