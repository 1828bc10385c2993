/** Which site's page sent a request, by what browsers report. The front server has checked the Host by then. */

import { isLoopbackHost } from '@/lib/contract/loopback-host';
import { RedriveError } from '@/lib/contract/redrive-error';

/** Pages of other sites may not even read: streams and searches cost. @throws RedriveError CROSS_ORIGIN */
export function refuseCrossSite(request: Request): void {
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

/** A change must come from the console's own pages, or from a client that is no browser. @throws RedriveError CROSS_ORIGIN */
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
 * Compares scheme, name and port. Loopback names use http, others the scheme of PUBLIC_URL; PUBLIC_URL itself always counts, since a proxy
 * may send another Host than users type.
 */
function isOwnOrigin(origin: string, hostHeader: string): boolean {
  const host = hostHeader.toLowerCase();
  const publicOrigin = originOf(process.env.PUBLIC_URL ?? '');
  const isLoopback = isLoopbackHost(host.replace(/:\d+$/, ''));
  const scheme = !isLoopback && publicOrigin?.startsWith('https://') ? 'https' : 'http';
  const own = [publicOrigin, originOf(`${scheme}://${host}`)];
  return own.some((one) => one !== null && one === origin);
}

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null);
