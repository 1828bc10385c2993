/**
 * Responses on the way to the identity provider and back. The return starts at another site, so a redirect would reach the console without
 * its Strict cookie; a page with a refresh sends the cookie.
 */
import { timeOrderedId } from '@/lib/broker';
import { SIGN_IN_PROBLEMS, type SignInProblem } from '@/lib/contract/access/access-limits';
import { ERROR_TABLE, RedriveError } from '@/lib/contract/redrive-error';
import { log } from '@/lib/server/console-log';
import { limitNetwork } from '@/lib/server/http/request-rate-limits';
import { nextPath } from '../next-path';
import { basePath } from '../sign-in-methods';
import { SignInRefused } from './oidc-claims';
import { finishOidc, startOidc } from './oidc-flow';
import { isOwnSignOut, signOutCookie } from './oidc-sign-out';
import { clearedTransactionCookie } from './oidc-transaction';

const PROBLEM_STATUS: Readonly<Record<SignInProblem, number>> = {
  denied: 403,
  stale: 400,
  failed: 400,
  unusable: 403,
  'no-auth-time': 403,
  'not-asked': 403,
  unavailable: 503,
  'no-role': 403,
  disabled: 403,
  'other-user': 403,
  'too-many': 429,
  off: 404,
  'console-unavailable': 503,
};

/** GET /sign-in/oidc?next=…&reauthenticate=1 */
export async function answerOidcStart(request: Request): Promise<Response> {
  const search = new URL(request.url).searchParams;
  const next = search.get('next');
  try {
    limitNetwork(request, 'sign-in');
    const { location, cookie } = await startOidc(request, {
      next,
      isReauthentication: search.get('reauthenticate') === '1',
    });
    return new Response(null, { status: 303, headers: { ...PLAIN, location, 'set-cookie': cookie } });
  } catch (error) {
    return problemPage(error, nextPath(next));
  }
}

/** GET /sign-in/oidc/callback, where the provider sends the browser back to. */
export async function answerOidcCallback(request: Request): Promise<Response> {
  // HEAD would use up the code.
  if (request.method !== 'GET')
    return new Response(null, { status: 405, headers: { ...PLAIN, allow: 'GET' } });
  let response: Response;
  try {
    limitNetwork(request, 'sign-in');
    const { next, cookie } = await finishOidc({ request, requestId: timeOrderedId() });
    response = page(200, 'You are signed in.', next, 'Continue');
    response.headers.append('set-cookie', cookie);
  } catch (error) {
    response = problemPage(error, '/');
  }
  response.headers.append('set-cookie', clearedTransactionCookie());
  return response;
}

/** GET /sign-in/oidc/signed-out, where the provider sends the browser after a sign-out there. */
export async function answerOidcSignedOut(request: Request): Promise<Response> {
  try {
    limitNetwork(request, 'sign-in');
    const location = isOwnSignOut(request) ? '/sign-in?signed-out=1' : '/sign-in';
    const headers = { ...PLAIN, location, 'set-cookie': signOutCookie.clear() };
    return new Response(null, { status: 303, headers });
  } catch (error) {
    return problemPage(error, '/');
  }
}

/** The callback's address contains the code: it must not become a referrer. */
const PLAIN = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

function problemPage(error: unknown, next: string): Response {
  const problem = problemOf(error);
  const back = new URLSearchParams({ problem, ...(next === '/' ? {} : { next }) });
  return page(PROBLEM_STATUS[problem], SIGN_IN_PROBLEMS[problem], `/sign-in?${back}`, 'Back to sign-in');
}

function problemOf(error: unknown): SignInProblem {
  if (error instanceof SignInRefused) return error.problem;
  if (!(error instanceof RedriveError)) {
    log().error({ err: error }, 'signing in at the identity provider failed unexpectedly');
    return 'failed';
  }
  if (error.code === 'TOO_MANY_ATTEMPTS' || error.code === 'RATE_LIMITED') return 'too-many';
  if (error.code === 'NOT_FOUND') return 'off';
  if (error.code === 'PROVIDER_UNAVAILABLE') return 'unavailable';
  if (error.code === 'SIGN_IN_FAILED') return 'disabled';
  return ERROR_TABLE[error.code].status >= 500 ? 'console-unavailable' : 'failed';
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Without script or style, as the strictest policy demands; it shows for a moment only. */
function page(status: number, sentence: string, to: string, link: string): Response {
  const address = escaped(`${basePath()}${to}`);
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Redrive</title>
<p>${escaped(sentence)}</p>
<p><a href="${address}">${escaped(link)}</a></p>
</html>
`;
  return new Response(html, { status, headers: { ...PLAIN, 'content-type': 'text/html; charset=utf-8' } });
}
