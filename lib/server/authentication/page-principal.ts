/** The principal of a page: resolved once a request, for everything that the server renders for it. */
import { headers } from 'next/headers';
import { cache } from 'react';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { Principal } from './principal';
import { resolvePrincipal } from './resolve-principal';

/** Without a principal: no user has signed in, or Redis is away. */
type PageVisit =
  | { readonly principal: Principal; readonly why: null }
  | { readonly principal: null; readonly why: 'signed-out' | 'unavailable' };

export const pageVisit = cache(async (): Promise<PageVisit> => {
  const request = { headers: await headers() };
  try {
    return { principal: await resolvePrincipal(request), why: null };
  } catch (error) {
    const isSignedOut = error instanceof RedriveError && error.code === 'UNAUTHENTICATED';
    return { principal: null, why: isSignedOut ? 'signed-out' : 'unavailable' };
  }
});
