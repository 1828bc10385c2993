/**
 * AUTH=none: the name that a user chooses, kept in a cookie of the browser. It names users and proves nothing: every program of this machine
 * could send it.
 */

import { USER_NAME_DEFAULT } from '@/lib/contract/access/access-limits';
import { type ConsoleUser, userNameSchema } from '@/lib/contract/access/user-name';
import { cookiePath, cookiesNamed } from './session-cookie';

const COOKIE = 'redrive-name';
const YEAR_SECONDS = 365 * 86_400;

/** The first valid name in cookies of that name; else the default. */
export function localName(request: { headers: Headers }): ConsoleUser {
  for (const value of cookiesNamed(request.headers, COOKIE)) {
    const name = userNameSchema.safeParse(decoded(value));
    if (name.success) return { name: name.data, chosen: true };
  }
  return { name: USER_NAME_DEFAULT, chosen: false };
}

/** HttpOnly: pages ask /api/v1/me. Not Secure: the console answers plain http on loopback. */
export const localNameCookie = (name: string): string =>
  `${COOKIE}=${encodeURIComponent(name)}; Path=${cookiePath()}; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Strict`;

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
