/** The headers of a request as the rest of the server may take them: what only we may say is taken out, then said by us. */
import { clientAddress } from './address.mjs';
import { contentSecurityPolicy } from './csp.mjs';

/** @typedef {import('./settings.mjs').Settings} Settings */

/**
 * Next obeys some of these (which page was meant, that a check was passed already), and we obey others. None of them is a
 * client's to send. Those of its router (rsc, next-router-…) stay: the browser needs them.
 */
const NOT_THEIRS =
  /^(content-security-policy.*|x-nonce|x-middleware-.*|x-next-.*|x-redrive-.*|x-forwarded-.*|forwarded|x-real-ip|x-invoke-.*|x-now-.*|x-matched-path|x-vercel-.*|x-original-url|x-rewrite-url|x-http-method.*|x-method-override|next-resume|x-prerender-.*)$/;
const NOT_THEIRS_BUILT = /^x-nextjs-/;

/** Next takes this end of an address for the router's own mark, and answers with data. Browsers ask for that by a header. */
const ROUTER_SUFFIX = /\.rsc(?=$|\?)/;

/**
 * @param {import('node:http').IncomingMessage} request @param {string} nonce @param {Settings} settings
 */
export function cleanHeaders(request, nonce, { trustProxy, dev }) {
  const { headers } = request;
  const address = clientAddress(request.socket.remoteAddress, headers['x-forwarded-for'], trustProxy);
  for (const name of Object.keys(headers))
    if (NOT_THEIRS.test(name) || (!dev && NOT_THEIRS_BUILT.test(name))) delete headers[name];
  headers['x-redrive-address'] = address;
  // Where a person goes on after signing in. _rsc is the router's own mark on what it fetches.
  headers['x-redrive-path'] = (request.url ?? '/')
    .replace(/([?&])_rsc(?:=[^&]*)?(?:&|$)/, '$1')
    .replace(/[?&]$/, '');
  // Written as a code it is part of the name, as any other end is.
  request.url = (request.url ?? '/').replace(ROUTER_SUFFIX, '%2Ersc');
  // Next reads the nonce for its own scripts from the policy, and the layout from the other.
  headers['content-security-policy'] = contentSecurityPolicy(nonce, { dev });
  headers['x-nonce'] = nonce;
}
