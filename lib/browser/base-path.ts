/**
 * The console may be served below a path of its host. Next's links and router know that path; other addresses of the browser pass here.
 * `concat` instead of a template: the build replaces whole string literals (scripts/lib/base-path.mjs).
 */

/** `/ops/redrive`, or '' at the root of the host. */
const BASE_PATH: string = process.env.REDRIVE_BASE_PATH ?? '';

/** The address of a path of the console, for fetch, event streams, downloads and plain links. */
export const addressOf = (path: string): string => BASE_PATH.concat(path);

/** The console's own path in an address of the browser: what Next's router, `?next=` and the API call it. */
export function pathOfAddress(pathname: string): string {
  const isBelow = pathname === BASE_PATH || pathname.startsWith(BASE_PATH.concat('/'));
  return isBelow ? pathname.slice(BASE_PATH.length) || '/' : pathname;
}

/** The address of this console, for programs. */
export const consoleUrl = (): string => window.location.origin.concat(BASE_PATH);
