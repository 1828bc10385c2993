/**
 * Which addresses can exist. Frameworks and proxies disagree about odd ones, which has opened doors before; names here are letters,
 * digits and a few signs, so every odd address is refused.
 */
import type { ErrorCode } from '@/lib/contract/redrive-error';

const TARGET_MAX_CHARS = 8_192;
/** Of Next's own addresses only the built files are served: no image service, no data files, no source maps. */
const FRAMEWORK = /^\/(_next(\/|$)|__next)/;
const BUILT_FILE = /^\/_next\/static\/[A-Za-z0-9_~.()[\]/-]+\.(js|css|woff2?|ttf|png|svg|ico|jpg|json|txt)$/;
/** A user's id comes from the identity provider, which may put anything into it. */
const FREE_NAMES = /^\/api\/v1\/access\/users\/[^/]+$/;
/** Orchestrators ask these by any address they have, and learn only "up". */
const PROBES = new Set(['/healthz', '/readyz']);

export const isProbe = (path: string): boolean => PROBES.has(path);

export function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
}

/** `target`: as the request line has it. Null: the address can exist. */
export function refusedTarget(
  target: string,
  { dev = false }: { dev?: boolean } = {},
): { code: ErrorCode; detail: string } | null {
  // `GET http://elsewhere/` and `OPTIONS *` are for proxies.
  if (!target.startsWith('/')) return { code: 'VALIDATION', detail: 'The address must begin with a slash.' };
  if (target.length > TARGET_MAX_CHARS)
    return { code: 'ADDRESS_TOO_LONG', detail: `The address is longer than ${TARGET_MAX_CHARS} characters.` };
  if (/[^\x21-\x7e]/.test(target))
    return {
      code: 'VALIDATION',
      detail: 'The address has characters that must be percent-encoded (%C3%A9).',
    };
  const path = target.includes('#') ? null : decodedPath(pathOf(target));
  if (path === null || (!dev && FRAMEWORK.test(path) && !BUILT_FILE.test(path)))
    return { code: 'NOT_FOUND', detail: 'There is nothing at this address.' };
  return null;
}

/** The path with its codes resolved; null: no address here looks like that. */
function decodedPath(path: string): string | null {
  if (path === '/') return path;
  if (path.includes('\\')) return null;
  const isFree = FREE_NAMES.test(path);
  const segments = path.slice(1).split('/');
  // Users type a slash at the end; Next redirects to the address without it.
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  const names = segments.map((segment) => decodedName(segment, isFree));
  return names.includes(null) ? null : `/${names.join('/')}`;
}

function decodedName(segment: string, isFree: boolean): string | null {
  let name: string;
  try {
    name = decodeURIComponent(segment);
  } catch {
    return null;
  }
  // Also .git, .env and `..`.
  if (name === '' || name.startsWith('.')) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  const odd = isFree ? /\u0000/ : /[\u0000-\u001f\u007f\\/]/;
  return odd.test(name) ? null : name;
}
