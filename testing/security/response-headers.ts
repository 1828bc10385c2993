/** What every response of the running console must carry. */
import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';

export const NONCE = /'nonce-([A-Za-z0-9+/=]{24})'/;

/** @param what for the sentence that says which response it was */
export function expectSecurityHeaders(
  headers: IncomingHttpHeaders,
  what: string,
  { tls = false, kept = false } = {},
): void {
  const policy = headers['content-security-policy'];
  for (const part of [
    "default-src 'none'",
    "script-src 'self' 'nonce-",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ])
    expect(policy, what).toContain(part);
  expect(policy, what).toMatch(NONCE);
  expect(policy, what).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
  expect(headers, what).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
    'cache-control': kept ? 'public, max-age=31536000, immutable' : expect.stringMatching(/^no-store/),
  });
  expect(headers['strict-transport-security'], what).toBe(tls ? 'max-age=31536000' : undefined);
  for (const name of ['server', 'x-powered-by', 'access-control-allow-origin'])
    expect(headers, what).not.toHaveProperty(name);
}

/** The headers of an answer read from a bare socket. */
export function headersOf(raw: string): IncomingHttpHeaders {
  const [head = ''] = raw.split('\r\n\r\n');
  return Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  );
}
