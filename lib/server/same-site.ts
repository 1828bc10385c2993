/**
 * Where a request comes from, by what browsers say of it: the name it asked for, and the site whose page sent it. The HTTP server in
 * front refuses foreign names, too; here it is said once more for every route and page, whoever serves them.
 */
import { RedriveError } from '@/lib/contract/errors';
import { isLoopbackHost } from './env';

/** Names beside those of this machine: that people use, and those an operator adds. */
function otherNames(): string[] {
  const { PUBLIC_URL = '', REDRIVE_ALLOWED_HOSTS = '' } = process.env;
  const own = hostOf(PUBLIC_URL);
  return [...(own === null ? [] : [own]), ...REDRIVE_ALLOWED_HOSTS.split(',')]
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
}

/** Whether a Host header names this console. */
export function isOwnHost(header: string | null): boolean {
  const host = (header ?? '').toLowerCase();
  const bare = host.replace(/:\d+$/, '');
  return isLoopbackHost(bare) || otherNames().some((name) => name === host || name === bare);
}

/** @throws RedriveError HOST_REFUSED for a Host that is not this console (which is how DNS rebinding would look) */
export function refuseOtherHosts(request: Request): void {
  // An orchestrator's probe asks by whatever address it has, and learns nothing but "ready".
  if (new URL(request.url).pathname === '/readyz') return;
  if (!isOwnHost(request.headers.get('host')))
    throw new RedriveError(
      'HOST_REFUSED',
      'The console does not answer to this name. Open it by its own address, or name this one in REDRIVE_ALLOWED_HOSTS.',
      { fields: [{ field: 'Host', message: 'is not this console' }] },
    );
}

/** Another site's page may neither read nor start anything: not the streams, not the costly searches. */
export function refuseOtherSites(request: Request): void {
  const site = request.headers.get('sec-fetch-site');
  if (site === 'cross-site' || site === 'same-site')
    throw new RedriveError(
      'CROSS_ORIGIN',
      'The API answers the console and programs, not pages of other sites.',
      {
        fields: [{ field: 'Origin', message: 'is another site' }],
      },
    );
}

/** A change must come from this site's own pages, or from a client that is no browser. */
export function requireSameOrigin(request: Request): void {
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  const own = origin === null || isOwnOrigin(origin, request.headers.get('host') ?? '');
  if ((site !== null && site !== 'same-origin' && site !== 'none') || !own)
    throw new RedriveError(
      'CROSS_ORIGIN',
      'Changes are accepted from the console itself or from programs, not from other sites. Nothing was changed.',
      { fields: [{ field: 'Origin', message: 'is another site' }] },
    );
}

/**
 * Scheme, name and port, all of them: another port of this machine is another site, and so is the same name without TLS. Loopback names
 * are asked for without TLS, others the way PUBLIC_URL says. A proxy may put another Host than the one people use, so PUBLIC_URL itself
 * always counts.
 */
function isOwnOrigin(origin: string, hostHeader: string): boolean {
  const host = hostHeader.toLowerCase();
  const publicOrigin = originOf(process.env.PUBLIC_URL ?? '');
  const isLoopback = isLoopbackHost(host.replace(/:\d+$/, ''));
  const scheme = !isLoopback && publicOrigin?.startsWith('https://') ? 'https' : 'http';
  const own = [publicOrigin, originOf(`${scheme}://${host}`)];
  return own.some((one) => one !== null && one === origin);
}

function originOf(url: string): string | null {
  try {
    return new URL(url).origin;
  } catch {
    return null;
  }
}

function hostOf(origin: string): string | null {
  try {
    return new URL(origin).host;
  } catch {
    return null;
  }
}
