/**
 * The session cookie. Its value is random, and Redis stores its digest only, so read access to Redis does not allow sign-in.
 * Over TLS its name begins with `__Host-`: the browser then takes it from this very host, over TLS, for all paths, or not at all.
 * Below a path of a host, the browser sends it to that path only, which the prefix `__Host-` forbids; `__Secure-` takes its place.
 */
import { createHash, randomBytes } from 'node:crypto';
import { basePath, isTls } from './sign-in-methods';

const SECRET_BYTES = 32;
/** 32 bytes in base64url: the console creates no other cookies, so it looks up no others. */
const SECRET_PATTERN = /^[A-Za-z0-9_-]{43}$/;
/** No browser sends a longer header. */
const HEADER_MAX_CHARS = 16_384;

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
/** Redis stores the digest of a secret. The secret is random and long, so a plain digest cannot be reversed. */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** With the path in it: a console above this path or at the root of the host has a cookie that the browser sends here, too. */
function cookieName(plainName: string): string {
  const name = plainName + basePath().replaceAll('/', '.');
  if (!isTls()) return name;
  return basePath() === '' ? `__Host-${name}` : `__Secure-${name}`;
}
/** Of all cookies of the console. */
export const cookiePath = (): string => basePath() || '/';

export const sessionCookieName = (): string => cookieName('redrive');

/** Null also for several cookies of the name: the browser sends one, so somebody planted the other. */
export function readSessionCookie(headers: Headers): string | null {
  const found = cookiesNamed(headers, sessionCookieName());
  const [value] = found;
  return found.length === 1 && value !== undefined && SECRET_PATTERN.test(value) ? value : null;
}

/** Strict: no request that another site starts carries it. HttpOnly: no script reads it. */
export const sessionCookie = (value: string, maxAgeSeconds: number): string =>
  cookie(sessionCookieName(), value, { sameSite: 'Strict', maxAgeSeconds });

export const clearedCookie = (): string => sessionCookie('', 0);

function cookie(
  name: string,
  value: string,
  options: { sameSite: 'Strict' | 'Lax'; maxAgeSeconds: number },
): string {
  const secure = isTls() ? '; Secure' : '';
  const age = Math.max(0, Math.floor(options.maxAgeSeconds));
  return `${name}=${value}; Path=${cookiePath()}; Max-Age=${age}; HttpOnly; SameSite=${options.sameSite}${secure}`;
}

/**
 * A cookie for the way to the identity provider and back. Lax: the return starts at another site. Over TLS its name begins with `__Host-`,
 * so that no other host of the domain can plant one.
 */
export function roundTripCookie(plainName: string, maxAgeSeconds: number) {
  const name = (): string => cookieName(plainName);
  const written = (value: string, seconds: number): string =>
    cookie(name(), value, { sameSite: 'Lax', maxAgeSeconds: seconds });
  return {
    write: (value: string): string => written(value, maxAgeSeconds),
    clear: (): string => written('', 0),
    /** Null: it is missing, or there are several. */
    read: (headers: Headers): string | null => {
      const values = cookiesNamed(headers, name());
      return values.length === 1 ? (values[0] ?? null) : null;
    },
  };
}

export function cookiesNamed(headers: Headers, name: string): string[] {
  const header = headers.get('cookie') ?? '';
  if (header.length > HEADER_MAX_CHARS) return [];
  return header.split(';').flatMap((part) => {
    const at = part.indexOf('=');
    return at > 0 && part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : [];
  });
}
