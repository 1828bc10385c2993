/** Which ways in this console offers, and the address people know it by. */
import type { SignInOptions, WayIn } from '@/lib/contract/access';
import { readEnv } from '../env';
import { isLoopbackHost } from '../loopback';

export const waysIn = (): readonly WayIn[] => readEnv(process.env).AUTH;
export const hasWay = (way: WayIn): boolean => waysIn().includes(way);

/** Whether people come over TLS: then cookies are Secure and bound to the host. */
export const isTls = (): boolean => readEnv(process.env).PUBLIC_URL?.startsWith('https://') === true;

export function signInOptions(): SignInOptions {
  const { AUTH, OIDC_NAME } = readEnv(process.env);
  return { ways: AUTH, oidcName: AUTH.includes('oidc') ? OIDC_NAME : null };
}

/** Where the console is for its people, when nobody asks just now. */
export function ownOrigin(): string {
  const { PUBLIC_URL, HOST, PORT } = readEnv(process.env);
  if (PUBLIC_URL !== undefined) return PUBLIC_URL;
  return `http://${HOST.includes(':') && !HOST.startsWith('[') ? `[${HOST}]` : HOST}:${PORT}`;
}

/**
 * Where this request's person is: PUBLIC_URL when it is set. Otherwise the console is on loopback, which has several names, and the one
 * they used is taken. Any other Host is not believed.
 */
export function publicOrigin(request: { headers: Headers }): string {
  if (readEnv(process.env).PUBLIC_URL !== undefined) return ownOrigin();
  const host = request.headers.get('host') ?? '';
  return isLoopbackHost(host.replace(/:\d+$/, '')) ? `http://${host}` : ownOrigin();
}
