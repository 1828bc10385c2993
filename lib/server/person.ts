/**
 * Under AUTH=none: who sits here. A person says so, and a cookie of this browser keeps it; whoever is on this machine could say
 * anything, so it names people and proves nothing.
 */
import { PERSON_DEFAULT, type Person, personNameSchema } from '@/lib/contract/person';

const COOKIE = 'redrive-name';
const YEAR_SECONDS = 365 * 86_400;
/** A header longer than this is none of a browser's. */
const HEADER_MAX_CHARS = 16_384;

/** What the cookie says, if it is a name; anything else is as if it were not there. */
export function personOf(request: { headers: Headers }): Person {
  const header = request.headers.get('cookie') ?? '';
  if (header.length <= HEADER_MAX_CHARS)
    for (const part of header.split(';')) {
      const at = part.indexOf('=');
      if (part.slice(0, at).trim() !== COOKIE) continue;
      const name = personNameSchema.safeParse(decoded(part.slice(at + 1).trim()));
      if (name.success) return { name: name.data, chosen: true };
    }
  return { name: PERSON_DEFAULT, chosen: false };
}

/** HttpOnly: pages ask /api/v1/me. Not Secure: the console answers plain http on loopback. */
export const personCookie = (name: string): string =>
  `${COOKIE}=${encodeURIComponent(name)}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Strict`;

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
