/** Who looks at a page: asked once a request, for everything that is rendered on the server for it. */
import { headers } from 'next/headers';
import { cache } from 'react';
import { RedriveError } from '@/lib/contract/errors';
import type { Principal } from './access/principal';
import { resolveFrom } from './access/resolve';
import { isOwnHost } from './same-site';

/** Nobody, because nobody signed in (or asks by another name), or because it cannot be asked: Redis is away. */
export type PageVisit =
  | { readonly principal: Principal; readonly why: null }
  | { readonly principal: null; readonly why: 'signed-out' | 'unavailable' };

export const pageVisit = cache(async (): Promise<PageVisit> => {
  const given = await headers();
  // The API refuses a foreign Host; a page must not tell it what the API would not.
  if (!isOwnHost(given.get('host'))) return { principal: null, why: 'signed-out' };
  try {
    return { principal: await resolveFrom(given), why: null };
  } catch (error) {
    const signedOut = error instanceof RedriveError && error.code === 'UNAUTHENTICATED';
    return { principal: null, why: signedOut ? 'signed-out' : 'unavailable' };
  }
});

/** Null: signed out, or Redis is away; see `pageVisit`. */
export const pagePrincipal = async (): Promise<Principal | null> => (await pageVisit()).principal;
