import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publicPathOf, withoutPublicPath } from './public-path';

test.each([
  ['https://example.com', ''],
  ['https://example.com/', ''],
  ['https://example.com/redrive', '/redrive'],
  ['https://example.com/ops/redrive-2.0/', '/ops/redrive-2.0'],
  ['https://example.com/a/../redrive', '/redrive'],
])('the path of %s', (url, path) => {
  expect(publicPathOf(new URL(url))).toBe(path);
});

test.each([
  '/api',
  '/api/console',
  '/_next',
  '/queues/x',
  '//elsewhere',
  '/ops//redrive',
  '/.hidden',
  '/ops/%20',
  '/ops;v=1',
  '/<b>',
  `/${'x'.repeat(200)}`,
])('no path of a console: %s', (pathname) => {
  expect(publicPathOf({ pathname })).toBeNull();
});

test('no path that begins like a page or a route of the console', () => {
  const app = join(import.meta.dirname, '../../../app');
  const names = [app, join(app, '(console)')]
    .flatMap((dir) => readdirSync(dir, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && /^[a-z]/.test(entry.name))
    .map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['api', 'queues', 'healthz', 'sign-in']));
  for (const name of names) expect(publicPathOf({ pathname: `/${name}/redrive` }), name).toBeNull();
});

test.each([
  ['/ops/redrive', '/'],
  ['/ops/redrive?a=1', '/?a=1'],
  ['/ops/redrive/', '/'],
  ['/ops/redrive/queues/mail?q=1', '/queues/mail?q=1'],
  ['/ops/redrive2', '/ops/redrive2'],
  ['/queues', '/queues'],
  ['/', '/'],
])('a request for %s, whether or not the proxy took the path off', (target, inside) => {
  expect(withoutPublicPath(target, '/ops/redrive')).toBe(inside);
  expect(withoutPublicPath(target, '')).toBe(target);
});
