/** Where to continue after sign-in: always a path of this console. Anything that could lead elsewhere becomes `/`. */
const PATH_MAX_CHARS = 2_000;
/** No browser may read it as another host: two slashes of any kind, also written as codes, or letters that URL parsers drop. */
const DANGEROUS = /^\/+[/\\]|\\|\p{Cc}|^\/+(%2f|%5c)/iu;
/** These would ask for sign-in again, or show JSON. A tab that was opened only to sign in ends at /sign-in/done. */
const NOT_A_PAGE = /^\/(sign-in(?!\/done$)|api)(\/|\?|#|$)/i;
const NOWHERE = 'http://console.invalid';

export function nextPath(text: string | null | undefined): string {
  if (!text?.startsWith('/') || text.length > PATH_MAX_CHARS || DANGEROUS.test(text)) return '/';
  if (!URL.canParse(text, NOWHERE)) return '/';
  const url = new URL(text, NOWHERE);
  const path = `${url.pathname}${url.search}${url.hash}`;
  // Dots are resolved by now: what came out of them is looked at again.
  return url.origin === NOWHERE && !DANGEROUS.test(path) && !NOT_A_PAGE.test(path) ? path : '/';
}
