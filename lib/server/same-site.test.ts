import { afterEach, describe, expect, it, vi } from 'vitest';
import { isOwnHost, refuseOtherHosts, refuseOtherSites, requireSameOrigin } from './same-site';

afterEach(() => vi.unstubAllEnvs());

const asked = (headers: Record<string, string>, path = '/api/v1/queues') =>
  new Request(`http://internal${path}`, { method: 'POST', headers });

describe('S4: names', () => {
  it.each([
    ['127.0.0.1:3000', true],
    ['localhost', true],
    ['[::1]:3000', true],
    ['redrive.example.com', true],
    ['REDRIVE.example.com:8443', true],
    ['10.0.0.5:9000', true],
    ['10.0.0.5:9001', false],
    ['redrive.example.com.evil.example', false],
    ['evil-redrive.example.com', false],
    ['127.0.0.1.evil.example', false],
    ['localhost.evil.example:3000', false],
    ['', false],
  ])('%s', (host, own) => {
    vi.stubEnv('PUBLIC_URL', 'https://redrive.example.com');
    vi.stubEnv('REDRIVE_ALLOWED_HOSTS', '10.0.0.5:9000');
    expect(isOwnHost(host)).toBe(own);
  });

  it('a probe may ask by any', () => {
    expect(() => refuseOtherHosts(asked({ host: '10.1.2.3:3000' }))).toThrow(/does not answer to this name/);
    refuseOtherHosts(asked({ host: '10.1.2.3:3000' }, '/readyz'));
  });
});

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
      expect(() => refuseOtherSites(asked({ 'sec-fetch-site': site }))).toThrow(/not pages of other sites/);
  });
});
