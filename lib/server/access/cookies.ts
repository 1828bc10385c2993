/**
 * The session cookie. Its value is random and says nothing; Redis knows it by its digest only, so that who reads Redis cannot sign in.
 * Over TLS its name begins with `__Host-`: the browser then takes it from this very host, over TLS, for all paths, or not at all.
 */
import { createHash, randomBytes } from 'node:crypto';
import { isTls } from './ways';

const SECRET_BYTES = 32;
/** 32 bytes in base64url. Anything else was not made here, and is not looked up. */
const SECRET_PATTERN = /^[A-Za-z0-9_-]{43}$/;
/** A header longer than this is none of a browser's. */
const HEADER_MAX_CHARS = 16_384;

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
/** What is stored of a secret. It is random and long, so a plain digest cannot be turned back. */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const sessionCookieName = (): string => (isTls() ? '__Host-redrive' : 'redrive');

/** Of several cookies of the name none is believed: the browser sends one, and a second was planted. */
export function readSessionCookie(headers: Headers): string | null {
  const found = cookiesNamed(headers, sessionCookieName());
  const [value] = found;
  return found.length === 1 && value !== undefined && SECRET_PATTERN.test(value) ? value : null;
}

/** Strict: no request that another site starts carries it. HttpOnly: no script reads it. */
export const sessionCookie = (value: string, maxAgeSeconds: number): string =>
  cookie(sessionCookieName(), value, { path: '/', sameSite: 'Strict', maxAgeSeconds });

export const clearedCookie = (): string => sessionCookie('', 0);

export function cookie(
  name: string,
  value: string,
  options: { path: string; sameSite: 'Strict' | 'Lax'; maxAgeSeconds: number },
): string {
  const secure = isTls() ? '; Secure' : '';
  const age = Math.max(0, Math.floor(options.maxAgeSeconds));
  return `${name}=${value}; Path=${options.path}; Max-Age=${age}; HttpOnly; SameSite=${options.sameSite}${secure}`;
}

export function cookiesNamed(headers: Headers, name: string): string[] {
  const header = headers.get('cookie') ?? '';
  if (header.length > HEADER_MAX_CHARS) return [];
  return header.split(';').flatMap((part) => {
    const at = part.indexOf('=');
    return at > 0 && part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : [];
  });
}
