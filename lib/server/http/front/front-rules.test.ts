/** The parts of the front server, each alone. Together, on the running console: testing/security/front-server.process.test.ts. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { BODY_MAX_BYTES } from '@/lib/contract/body-limit';
import { ERROR_TABLE } from '@/lib/contract/redrive-error';
import { isOwnHost } from '../own-host';
import { cleanHeaders, clientAddress } from './clean-headers';
import { newNonce } from './front-response';
import { frontSettings } from './front-settings';
import { refusalOf } from './request-refusals';
import { refusedTarget } from './request-target';
import { cacheControl, contentSecurityPolicy, securityHeaders, TOAST_STYLE_HASH } from './security-headers';

const WHERE = { host: '127.0.0.1', port: 3000 };
/** Null: not refused. */
const statusOf = (refusal: { code: keyof typeof ERROR_TABLE } | null): number | null =>
  refusal && ERROR_TABLE[refusal.code].status;
const settings = (env: Record<string, string> = {}) => frontSettings(env, WHERE);

describe('settings', () => {
  it('without any: loopback, no TLS, no proxy', () =>
    expect(settings()).toEqual({
      ...WHERE,
      basePath: '',
      dev: false,
      tls: false,
      origin: 'http://127.0.0.1:3000',
      hosts: new Set(),
      trustProxy: 0,
      pageRateFactor: 1,
      hstsSubdomains: false,
    }));

  it('PUBLIC_URL is a name and says whether there is TLS', () => {
    const { tls, origin, hosts } = settings({
      PUBLIC_URL: 'https://Redrive.example.com',
      REDRIVE_ALLOWED_HOSTS: 'Redrive.internal, 10.0.0.5:9000',
    });
    expect({ tls, origin }).toEqual({ tls: true, origin: 'https://redrive.example.com' });
    expect([...hosts]).toEqual(['redrive.internal', '10.0.0.5:9000', 'redrive.example.com']);
  });

  it.each(['', 'two', '-1', '1.5'])('TRUST_PROXY=%s trusts nobody', (text) =>
    expect(settings({ TRUST_PROXY: text }).trustProxy).toBe(0),
  );

  it.each([
    [{}, 1],
    [{ REDRIVE_RATE_FACTOR: '5' }, 5],
    [{ REDRIVE_RATE_FACTOR: '0' }, 1],
    [{ REDRIVE_RATE_FACTOR: 'many' }, 1],
    [{ AUTH: 'none' }, 0],
  ])('%o: the rate of pages is multiplied by %f', (env, factor) =>
    expect(settings(env as Record<string, string>).pageRateFactor).toBe(factor),
  );
});

describe('S4: names the console answers to', () => {
  const { hosts } = settings({
    PUBLIC_URL: 'https://redrive.example.com',
    REDRIVE_ALLOWED_HOSTS: '10.0.0.5:9000',
  });
  it.each([
    ['127.0.0.1:3000', true],
    ['localhost:8080', true],
    ['[::1]:3000', true],
    ['redrive.example.com', true],
    ['REDRIVE.EXAMPLE.COM:443', true],
    ['10.0.0.5:9000', true],
    ['10.0.0.5:9001', false],
    ['attacker.example', false],
    ['redrive.example.com.attacker.example', false],
    ['attacker@redrive.example.com', false],
    ['127.0.0.1.attacker.example', false],
    ['127.0.0.1:3000:evil', false],
    ['localhost/evil', false],
    ['', false],
    [undefined, false],
  ])('%s', (host, answered) => expect(isOwnHost(host, hosts)).toBe(answered));
});

describe('where a request comes from', () => {
  it.each([
    ['the socket says', '10.0.0.9', undefined, 0, '10.0.0.9'],
    ['a client cannot say', '10.0.0.9', '1.2.3.4', 0, '10.0.0.9'],
    ['one proxy says', '10.0.0.9', '1.2.3.4', 1, '1.2.3.4'],
    ['what stands before was made up', '10.0.0.9', '6.6.6.6, 1.2.3.4', 1, '1.2.3.4'],
    ['two proxies', '10.0.0.9', '6.6.6.6, 1.2.3.4, 10.0.0.8', 2, '1.2.3.4'],
    ['fewer came by than are known', '10.0.0.9', '1.2.3.4', 3, '1.2.3.4'],
    ['no address', '10.0.0.9', 'unknown', 1, '10.0.0.9'],
    ['an injection', '10.0.0.9', '<script>', 1, '10.0.0.9'],
    ['with a port', '10.0.0.9', '1.2.3.4:5678', 1, '1.2.3.4'],
    ['IPv6 with a port', '10.0.0.9', '[2001:DB8::1]:443', 1, '2001:db8::1'],
    ['IPv4 in IPv6', '::ffff:10.0.0.9', undefined, 0, '10.0.0.9'],
    ['a zone', 'fe80::1%eth0', undefined, 0, 'fe80::1'],
  ])('%s', (_, remoteAddress, forwarded, trust, address) => {
    const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } };
    expect(clientAddress(request, trust)).toBe(address);
  });
});

describe('addresses there can be', () => {
  it.each([
    '/',
    '/dead',
    '/dead/',
    '/dead?q=error:"a/../b" \\ %2e%2e%2f'.replaceAll(' ', '%20'),
    '/queues/report.map/jobs/a.rsc',
    '/api/v1/access/users/oidc%3Aauth0%7C1%2F2',
    '/api/v1/access/users/oidc%3ACORP%5Cann',
    '/_next/static/chunks/2a-b_c~1.js',
    '/icon.svg',
  ])('%s', (target) => expect(refusedTarget(target)).toBeNull());

  it.each([
    ['http://evil.example/', 400],
    ['*', 400],
    ['', 400],
    ['/dead?q=é', 400],
    ['/caf\u00e9', 400],
    ['/a b', 400],
    [`/${'a'.repeat(8_192)}`, 414],
    ['//evil.example', 404],
    ['/api//v1/queues', 404],
    ['/api/v1/queues/%00', 404],
    ['/api/v1/queues/a%0ab', 404],
    ['/api/v1/queues/..%2f..%2fetc', 404],
    ['/api/v1/queues/%2e%2e/x', 404],
    ['/a/../b', 404],
    ['/a/./b', 404],
    ['/a%2fb', 404],
    ['/a%5cb', 404],
    ['/a\\b', 404],
    ['/%', 404],
    ['/%ff', 404],
    ['/dead#x', 404],
    ['/.git/config', 404],
    ['/.env', 404],
    ['/.well-known/x', 404],
    ['/api/v1/access/users/..', 404],
    ['/api/v1/access/users/a%00', 404],
    ['/_next/image?url=%2Ficon.svg&w=64&q=75', 404],
    ['/_next/data/build/dead.json', 404],
    ['/_next/static/chunks/a.js.map', 404],
    ['/_next', 404],
    ['/%5fnext/image?url=%2Ficon.svg&w=64&q=75', 404],
    ['/__nextjs_original-stack-frame', 404],
  ])('S14/S22: %s is refused with %i', (target, status) =>
    expect(statusOf(refusedTarget(target))).toBe(status),
  );
});

function asked(method: string, url: string, headers: Record<string, string> = {}) {
  const all = { host: '127.0.0.1:3000', ...headers };
  return {
    method,
    url,
    headers: all,
    rawHeaders: Object.entries(all).flat(),
    socket: { remoteAddress: '127.0.0.1' },
  } as never;
}

describe('refusals', () => {
  it.each([
    ['GET', '/dead', {}, null],
    ['POST', '/api/v1/queues/a/pause', { 'content-length': '2' }, null],
    ['GET', '/', { upgrade: 'h2c' }, null],
    ['GET', '/', { 'content-length': '0' }, null],
    ['POST', '/dead', {}, 405],
    ['POST', '/sign-in', {}, 405],
    ['OPTIONS', '/api/v1/queues', {}, 405],
    ['OPTIONS', '/', {}, 405],
    ['TRACE', '/', {}, 405],
    ['PROPFIND', '/api/v1/queues', {}, 405],
    ['GET', '/', { upgrade: 'websocket' }, 400],
    ['GET', '/', { 'content-length': '5' }, 400],
    ['GET', '/', { 'transfer-encoding': 'chunked' }, 400],
    ['POST', '/api/v1/queues/a/jobs', { 'content-length': String(BODY_MAX_BYTES + 1) }, 413],
    ['GET', '/', { 'next-action': 'x' }, 400],
    ['POST', '/api/v1/queues/a/pause', { 'next-action': 'x' }, 400],
    ['GET', '/', { host: 'evil.example' }, 400],
    ['GET', '/healthz', { host: '10.1.2.3:3000' }, null],
  ])('%s %s %o: %s', (method, url, headers, status) => {
    const refusal = refusalOf(asked(method, url, headers as Record<string, string>), settings());
    expect(statusOf(refusal)).toBe(status);
  });

  it('two Host headers: what each server takes for the name may differ', () => {
    const request = {
      ...(asked('GET', '/') as object),
      rawHeaders: ['Host', 'localhost', 'host', 'evil.example'],
    };
    expect(refusalOf(request as never, settings())).toMatchObject({ code: 'HOST_REFUSED' });
  });
});

describe('what a client may not say', () => {
  it('S2, S12: is taken out, and said by us', () => {
    const request = asked('GET', '/dead?q=a&_rsc=1x2', {
      'content-security-policy': "script-src 'nonce-evil'",
      'content-security-policy-report-only': "script-src 'nonce-evil'",
      'x-nonce': 'evil',
      'x-middleware-subrequest': 'middleware',
      'x-middleware-override-headers': 'a',
      'x-nextjs-data': '1',
      'x-next-resume-state-length': '1',
      'next-resume': '1',
      'x-invoke-path': '/admin',
      'x-now-route-matches': '1',
      'x-matched-path': '/admin',
      'x-original-url': '/admin',
      'x-rewrite-url': '/admin',
      'x-http-method-override': 'DELETE',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-for': '6.6.6.6',
      forwarded: 'for=6.6.6.6',
      'x-real-ip': '6.6.6.6',
      'x-redrive-address': '6.6.6.6',
      'x-redrive-path': '//evil.example',
      'next-router-state-tree': 'kept',
      rsc: '1',
      accept: '*/*',
    }) as { headers: Record<string, string> };
    cleanHeaders(request as never, 'abc', settings());
    expect(request.headers).toEqual({
      host: '127.0.0.1:3000',
      'next-router-state-tree': 'kept',
      rsc: '1',
      accept: '*/*',
      'x-redrive-address': '127.0.0.1',
      'x-redrive-path': '/dead?q=a',
      'x-nonce': 'abc',
      'content-security-policy': contentSecurityPolicy('abc'),
    });
  });

  it.each([
    ['/dead', '/dead'],
    ['/dead?_rsc=1', '/dead'],
    ['/dead?_rsc', '/dead'],
    ['/dead?q=_rsc=1', '/dead?q=_rsc=1'],
    ['/dead?_rscs=1', '/dead?_rscs=1'],
    ['/dead?_rsc=1&q=a', '/dead?q=a'],
    ['/dead?q=a&_rsc=1&view=rows', '/dead?q=a&view=rows'],
  ])('the page of %s is %s', (url, path) => {
    const request = asked('GET', url) as { headers: Record<string, string> };
    cleanHeaders(request as never, 'abc', settings());
    expect(request.headers['x-redrive-path']).toBe(path);
  });
});

describe('headers', () => {
  it('S2: the policy', () => {
    const policy = contentSecurityPolicy('abc');
    for (const part of [
      "default-src 'none'",
      "script-src 'self' 'nonce-abc'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
    ])
      expect(policy.split('; ')).toContain(part);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|style-src [^;]*unsafe-inline|\*/);
  });

  it('lets in the style sheet of the notifications as it is installed', () => {
    const file = createRequire(import.meta.url)
      .resolve('sonner')
      .replace(/index\.js$/, 'index.mjs');
    const [, text = '""'] = /__insertCSS\(("(?:[^"\\]|\\.)*")\)/.exec(readFileSync(file, 'utf8')) ?? [];
    const hash = createHash('sha256')
      .update(JSON.parse(text) as string)
      .digest('base64');
    expect(TOAST_STYLE_HASH, 'sonner has a new style sheet: put its hash into security-headers.ts').toBe(
      `'sha256-${hash}'`,
    );
  });

  it('TLS is promised only where there is some', () => {
    expect(securityHeaders('abc', settings())).not.toHaveProperty('strict-transport-security');
    const tls = { PUBLIC_URL: 'https://r.example' };
    expect(securityHeaders('abc', settings(tls))).toMatchObject({
      'strict-transport-security': 'max-age=31536000',
    });
    expect(securityHeaders('abc', settings({ ...tls, REDRIVE_HSTS: 'subdomains' }))).toMatchObject({
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    });
  });

  it.each([
    ['/_next/static/a.js', 200, undefined, 'public, max-age=31536000, immutable'],
    ['/_next/static/a.js', 304, undefined, 'public, max-age=31536000, immutable'],
    ['/_next/static/a.js', 404, undefined, 'no-store'],
    ['/dead', 200, 's-maxage=60', 'no-store'],
    ['/api/v1/stream', 200, 'no-cache, no-transform', 'no-store, no-transform'],
  ])('S15: %s with %i may be kept: %s', (path, status, said, kept) =>
    expect(cacheControl(path, status, said, false)).toBe(kept),
  );
});

it('S2: a nonce is 128 bits and never comes twice', () => {
  const nonces = Array.from({ length: 2_000 }, newNonce);
  expect(new Set(nonces).size).toBe(nonces.length);
  for (const nonce of nonces) expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
});
