/** The headers of a request as Next and the routes may trust them: reserved names are removed, then set by the front server. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FrontSettings } from './front-settings';
import { contentSecurityPolicy } from './security-headers';

/**
 * Next obeys some of these (which page was meant, that a check has passed), and the console obeys others. The names of Next's router
 * (rsc, next-router-…) stay: the browser needs them.
 */
const RESERVED =
  /^(content-security-policy.*|x-nonce|x-middleware-.*|x-next-.*|x-redrive-.*|x-forwarded-.*|forwarded|x-real-ip|x-invoke-.*|x-now-.*|x-matched-path|x-vercel-.*|x-original-url|x-rewrite-url|x-http-method.*|x-method-override|next-resume|x-prerender-.*)$/;
const RESERVED_BUILT = /^x-nextjs-/;

/** Next reads this end of an address as a request of its router, which browsers make with a header instead. */
const ROUTER_SUFFIX = /\.rsc(?=$|\?)/;

export function cleanHeaders(
  request: IncomingMessage,
  nonce: string,
  { trustProxy, dev }: FrontSettings,
): void {
  const { headers } = request;
  const address = clientAddress(request, trustProxy);
  for (const name of Object.keys(headers))
    if (RESERVED.test(name) || (!dev && RESERVED_BUILT.test(name))) delete headers[name];
  headers['x-redrive-address'] = address;
  // Where a user continues after sign-in. _rsc is the router's mark on its own requests.
  headers['x-redrive-path'] = (request.url ?? '/')
    .replace(/([?&])_rsc(?:=[^&]*)?(?:&|$)/, '$1')
    .replace(/[?&]$/, '');
  // Percent-encoded it is part of the name, as any other end is.
  request.url = (request.url ?? '/').replace(ROUTER_SUFFIX, '%2Ersc');
  // Next reads the nonce for its own scripts from the policy, the layout reads it from x-nonce.
  headers['content-security-policy'] = contentSecurityPolicy(nonce, { dev });
  headers['x-nonce'] = nonce;
}

/**
 * The address of the client. Each proxy appends the address that connected to it, so with one trusted proxy the last entry of
 * X-Forwarded-For counts, with two the last but one; a client can invent the entries before.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  trustProxy: number,
): string {
  const peer = plainAddress(socket.remoteAddress ?? '') ?? 'unknown';
  const forwarded = headers['x-forwarded-for'];
  if (trustProxy === 0 || forwarded === undefined) return peer;
  const hops = String(forwarded).split(',').reverse();
  return plainAddress(hops[Math.min(trustProxy, hops.length) - 1] ?? '') ?? peer;
}

/** Without port, brackets, zone and the IPv6 form of an IPv4 address; null: no address. */
function plainAddress(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  const address = bare.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  return isIP(address) ? address.toLowerCase() : null;
}
