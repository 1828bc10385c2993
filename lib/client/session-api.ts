/** Signing in, proving who one is, and signing out. */
import { z } from 'zod';
import { type Me, meSchema, signedOutSchema } from '@/lib/contract/access';
import { paths } from '@/lib/contract/api';
import { request, withQuery } from './api';

/** What these answer with besides cookies is of no use here: who one is now is asked of /me. */
const anything = z.unknown();

/** Throws UNAUTHENTICATED when nobody is signed in. */
export const fetchMe = (signal?: AbortSignal): Promise<Me> =>
  request(paths.me(), { schema: meSchema, asks: false, signal });

export async function signIn(input: { name: string; password: string }): Promise<void> {
  await request(paths.session(), { method: 'POST', body: input, schema: anything, asks: false });
}

/** By the code of a one-time link that the console printed. */
export async function signInByLink(code: string): Promise<void> {
  await request(paths.sessionLink(), { method: 'POST', body: { code }, schema: anything, asks: false });
}

export async function prove(password: string): Promise<void> {
  await request(paths.sessionProof(), { method: 'POST', body: { password }, schema: anything });
}

/** Where to go on: to the identity provider, to sign out there as well, or to the sign-in page. */
export async function signOut(): Promise<string> {
  const { continueAt } = await request(paths.session(), {
    method: 'DELETE',
    schema: signedOutSchema,
    asks: false,
  });
  return continueAt ?? '/sign-in';
}

/** Where the identity provider's sign-in begins: a page, not an API call. */
export const oidcHref = (next: string, proof = false): string =>
  withQuery(paths.oidcStart(), { next, proof: proof ? 1 : null });

/** The sign-in page, and where to go on from there. */
export const signInHref = (next: string): string =>
  withQuery('/sign-in', { next: next === '/' ? null : next });

/** Where a tab ends that was opened only to sign in or to give a proof. */
export const SIGNED_IN_PATH = '/signed-in';
