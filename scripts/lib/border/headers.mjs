/** The headers of every response, whoever wrote it: a page, the API, a file, an error of Node's own parser. */
import { contentSecurityPolicy } from './csp.mjs';

/** @typedef {import('./settings.mjs').Settings} Settings */

const NOTHING_ALLOWED = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

const YEAR_SECONDS = 365 * 86_400;

/** @param {string} nonce @param {Settings} settings @returns {Record<string, string>} */
export function securityHeaders(nonce, { tls, dev, hstsSubdomains }) {
  return {
    'content-security-policy': contentSecurityPolicy(nonce, { dev }),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': NOTHING_ALLOWED,
    // Names below this one may be other people's, and without TLS: promised for them only where somebody said so.
    ...(tls
      ? {
          'strict-transport-security': `max-age=${YEAR_SECONDS}${hstsSubdomains ? '; includeSubDomains' : ''}`,
        }
      : {}),
  };
}

/**
 * Only the built files, whose names change with what is in them, may be kept. Everything else is of one person at one moment.
 * @param {string} path @param {number} status @param {unknown} said the header as it was set @param {boolean} dev
 */
export function cacheControl(path, status, said, dev) {
  const found = (status >= 200 && status < 300) || status === 304;
  if (path.startsWith('/_next/static/') && found && !dev) return 'public, max-age=31536000, immutable';
  // no-transform keeps a compressing proxy from holding back what is sent bit by bit.
  return String(said ?? '').includes('no-transform') ? 'no-store, no-transform' : 'no-store';
}

/** What no response says: who made it, and that other sites may read it. */
export const NEVER_SENT = [
  'x-powered-by',
  'server',
  'access-control-allow-origin',
  'access-control-allow-credentials',
];
