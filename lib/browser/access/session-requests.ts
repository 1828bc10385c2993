/** Requests to sign in, re-authenticate and sign out. */
import type { Me } from '@/lib/contract/access/access-schemas';
import { paths } from '@/lib/contract/api-paths';
import { request, withQuery } from '../api/api-client';
import { reply } from '../api/reply-schemas';

export const SIGN_IN_PATH = '/sign-in';

/** Throws UNAUTHENTICATED without a session. */
export const fetchMe = (signal?: AbortSignal): Promise<Me> =>
  request(paths.me(), { schema: reply('meSchema'), asks: false, signal });

export async function signIn(input: { name: string; password: string }): Promise<void> {
  await request(paths.session(), {
    method: 'POST',
    body: input,
    schema: reply('ignoredSchema'),
    asks: false,
  });
}

/** With the code of a one-time link printed by the console. */
export async function signInByLink(code: string): Promise<void> {
  await request(paths.sessionLink(), {
    method: 'POST',
    body: { code },
    schema: reply('ignoredSchema'),
    asks: false,
  });
}

export async function reauthenticate(password: string): Promise<void> {
  await request(paths.sessionReauthentication(), {
    method: 'POST',
    body: { password },
    schema: reply('ignoredSchema'),
  });
}

/** Returns the next page: the identity provider's sign-out or the sign-in page. */
export async function signOut(): Promise<string> {
  const { continueAt } = await request(paths.session(), {
    method: 'DELETE',
    schema: reply('signedOutSchema'),
    asks: false,
  });
  return continueAt ?? SIGN_IN_PATH;
}

/** The start of the identity provider's sign-in: a page, not an API call. */
export const oidcHref = (next: string, reauthenticate = false): string =>
  withQuery(paths.oidcStart(), { next, reauthenticate: reauthenticate ? 1 : null });

/** The sign-in page, with the page that follows it. */
export const signInHref = (next: string): string =>
  withQuery(SIGN_IN_PATH, { next: next === '/' ? null : next });

/** The last page of a tab opened only to sign in or re-authenticate. */
export const SIGNED_IN_PATH = '/signed-in';
