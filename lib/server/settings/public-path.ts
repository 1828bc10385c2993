/** The path of PUBLIC_URL, below which users reach the console. */

/** The console's own paths begin so. A proxy may or may not take the path off, so an address must tell which of both a request has. */
const OWN_NAMES =
  /^\/(_next|access|alerts|api|api-reference|audit|dead|healthz|lab|metrics|operations|queues|readyz|redis|schedules|sign-in|signed-in|stats|workers)(\/|$)/;
const SEGMENT = /^[A-Za-z0-9_~-][A-Za-z0-9_.~-]*$/;
const PATH_MAX_CHARS = 200;

/** `/ops/redrive`, '' for the root; null: the console cannot be served there. */
export function publicPathOf({ pathname }: Pick<URL, 'pathname'>): string | null {
  const path = pathname.replace(/\/$/, '');
  if (path === '') return '';
  const segments = path.slice(1).split('/');
  const isUsable =
    path.length <= PATH_MAX_CHARS && !OWN_NAMES.test(path) && segments.every((name) => SEGMENT.test(name));
  return isUsable ? path : null;
}

/** Takes `path` off the target of a request; a proxy may have done so already. */
export function withoutPublicPath(target: string, path: string): string {
  if (path === '' || !target.startsWith(path)) return target;
  const rest = target.slice(path.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : target;
}
