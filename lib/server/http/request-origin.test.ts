import { afterEach, describe, expect, it, vi } from 'vitest';
import { refuseCrossSite, requireSameOrigin } from './request-origin';

afterEach(() => vi.unstubAllEnvs());

const asked = (headers: Record<string, string>, path = '/api/v1/queues') =>
  new Request(`http://internal${path}`, { method: 'POST', headers });

describe('S3: the origin of a change', () => {
  const PUBLIC = 'https://redrive.example.com';
  it.each([
    ['itself', PUBLIC, { host: 'redrive.example.com', origin: PUBLIC }, true],
    ['itself, by a proxy that names its own host', PUBLIC, { host: '127.0.0.1:3000', origin: PUBLIC }, true],
    ['a program', PUBLIC, { host: 'redrive.example.com' }, true],
    ['loopback', '', { host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' }, true],
    ['another port', '', { host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3001' }, false],
    ['another name of loopback', '', { host: '127.0.0.1:3000', origin: 'http://localhost:3000' }, false],
    ['without TLS', PUBLIC, { host: 'redrive.example.com', origin: 'http://redrive.example.com' }, false],
    ['another site', PUBLIC, { host: 'redrive.example.com', origin: 'https://evil.example' }, false],
    ['a suffix', PUBLIC, { host: 'redrive.example.com', origin: `${PUBLIC}.evil.example` }, false],
    ['a page without origin', PUBLIC, { host: 'redrive.example.com', origin: 'null' }, false],
    ['an empty one', PUBLIC, { host: 'redrive.example.com', origin: '' }, false],
  ])('%s', (_, publicUrl, headers, own) => {
    vi.stubEnv('PUBLIC_URL', publicUrl);
    const check = () => requireSameOrigin(asked(headers as Record<string, string>));
    if (own) check();
    else expect(check).toThrow(/Nothing was changed/);
  });

  it.each([
    ['same-origin', true],
    ['none', true],
    ['same-site', false],
    ['cross-site', false],
    ['something-new', false],
  ])('Sec-Fetch-Site: %s', (site, own) => {
    const check = () => requireSameOrigin(asked({ host: '127.0.0.1:3000', 'sec-fetch-site': site }));
    if (own) check();
    else expect(check).toThrow(/Nothing was changed/);
  });

  it('other sites may not even read', () => {
    for (const site of ['same-site', 'cross-site'])
      expect(() => refuseCrossSite(asked({ 'sec-fetch-site': site }))).toThrow(/not pages of other sites/);
  });
});
