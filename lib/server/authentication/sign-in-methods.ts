/** The sign-in methods of this console, and its public address. */

import type { SignInMethod } from '@/lib/contract/access/access-limits';
import type { SignInOptions } from '@/lib/contract/access/access-schemas';
import { isLoopbackHost } from '@/lib/contract/loopback-host';
import { readEnv } from '../environment';
import { publicPathOf } from '../settings/public-path';

export const signInMethods = (): readonly SignInMethod[] => readEnv(process.env).AUTH;
export const hasSignInMethod = (method: SignInMethod): boolean => signInMethods().includes(method);

/** Whether users connect over TLS: then cookies are Secure and bound to the host. */
export const isTls = (): boolean => readEnv(process.env).PUBLIC_URL?.startsWith('https://') === true;

export function signInOptions(): SignInOptions {
  const { AUTH, OIDC_NAME } = readEnv(process.env);
  return { methods: AUTH, oidcName: AUTH.includes('oidc') ? OIDC_NAME : null };
}

/** The path below which users reach the console, `/ops/redrive`; '' at the root of its host. */
export const basePath = (): string => {
  const { PUBLIC_URL } = readEnv(process.env);
  return (PUBLIC_URL !== undefined && publicPathOf(new URL(PUBLIC_URL))) || '';
};

/** The console's address outside of a request. */
export function ownAddress(): string {
  const { PUBLIC_URL, HOST, PORT } = readEnv(process.env);
  if (PUBLIC_URL !== undefined) return PUBLIC_URL;
  return `http://${HOST.includes(':') && !HOST.startsWith('[') ? `[${HOST}]` : HOST}:${PORT}`;
}

/** The console's address in a request: PUBLIC_URL, else the loopback name that was used. Any other Host is not trusted. */
export function publicAddress(request: { headers: Headers }): string {
  if (readEnv(process.env).PUBLIC_URL !== undefined) return ownAddress();
  const host = request.headers.get('host') ?? '';
  return isLoopbackHost(host.replace(/:\d+$/, '')) ? `http://${host}` : ownAddress();
}
