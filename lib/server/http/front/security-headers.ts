/** The headers of every response: of pages, the API, files, and of Node's own parser. */
import type { FrontSettings } from './front-settings';

/**
 * The style sheet of the notifications, which their library writes into the page. Its text is always the same, so its hash admits it;
 * front-rules.test.ts compares the hash with the installed package.
 */
export const TOAST_STYLE_HASH = "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='";
/** The same style sheet in the moment before its text is inserted. */
const EMPTY_STYLE_HASH = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** What a page may load and do; the browser refuses anything else. `nonce`: fresh for each response. */
export function contentSecurityPolicy(nonce: string, { dev = false }: { dev?: boolean } = {}): string {
  return [
    "default-src 'none'",
    // React resolves source positions with eval in development only.
    `script-src 'self' 'nonce-${nonce}'${dev ? " 'unsafe-eval'" : ''}`,
    // In development style sheets are written into the page.
    `style-src 'self' ${dev ? "'unsafe-inline'" : `'nonce-${nonce}' ${TOAST_STYLE_HASH} ${EMPTY_STYLE_HASH}`}`,
    // Bar widths are style attributes of server-rendered pages. They load nothing: images and fonts come from here only.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${dev ? ' ws: wss:' : ''}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}

const NO_FEATURES = [
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

export function securityHeaders(
  nonce: string,
  { tls, dev, hstsSubdomains }: FrontSettings,
): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(nonce, { dev }),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': NO_FEATURES,
    // Subdomains may belong to others and lack TLS: promised only where REDRIVE_HSTS says so.
    ...(tls
      ? {
          'strict-transport-security': `max-age=${YEAR_SECONDS}${hstsSubdomains ? '; includeSubDomains' : ''}`,
        }
      : {}),
  };
}

/** Caches may store built files only: their names change with their content. `written`: the header as the handler set it. */
export function cacheControl(path: string, status: number, written: unknown, dev: boolean): string {
  const isFound = (status >= 200 && status < 300) || status === 304;
  if (path.startsWith('/_next/static/') && isFound && !dev) return 'public, max-age=31536000, immutable';
  // no-transform keeps a compressing proxy from buffering a stream.
  return String(written ?? '').includes('no-transform') ? 'no-store, no-transform' : 'no-store';
}

/** Next drops `content-encoding` from the answer of a route. The front server sends this header of it as that one. */
export const ROUTE_ENCODING = 'x-redrive-content-encoding';

/** Removed from every response: the software's name, and permission for other sites to read it. */
export const NEVER_SENT = [
  'x-powered-by',
  'server',
  'access-control-allow-origin',
  'access-control-allow-credentials',
];
