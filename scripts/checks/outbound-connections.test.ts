/** Which code connects to another machine, held against the table in docs/security.md: an operator's firewall is made by it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const SHIPPED = ['app', 'cli', 'components', 'lib', 'scripts', 'worker'];

/** An import of a value that opens connections, or a call that does. */
const CONNECTS = [
  /^import (?!type\b)[^;]*\b(?:request|get|connect|createConnection|lookup|resolve\w*|Agent|Socket)\b[^;]*from 'node:(?:http|https|http2|net|tls|dns|dns\/promises)'/m,
  /^import (?!type\b)(?!\{ type \w+(?:, type \w+)* \})[^;]* from '(?:ioredis|nodemailer|openid-client|undici|ws|axios|got)'/m,
  /^import [^;]*from 'node:dgram'/m,
  /\bimport\('(?:node:)?(?:https?|http2|net|tls|dgram|ioredis|nodemailer|undici)'\)/,
  /(?<![.\w])fetch\(|globalThis\.fetch|new (?:WebSocket|EventSource|XMLHttpRequest)\(|navigator\.sendBeacon/,
];
/** Run where the console is made, not where it runs. */
const NOT_SHIPPED = /\.(?:test|redis\.test)\.tsx?$|(?:^|\/)fixture|^scripts\/(?:checks|lib)\/|generated/;

const files = SHIPPED.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1)),
).filter((file) => !NOT_SHIPPED.test(file));
const connecting = files.filter((file) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return CONNECTS.some((pattern) => pattern.test(text));
});

const section =
  /## Outbound connections\n([\s\S]*?)\n## /.exec(
    readFileSync(join(ROOT, 'docs/security.md'), 'utf8'),
  )?.[1] ?? '';
const places = section
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| from'))
  .flatMap((line) =>
    [...(line.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, place = '']) => place),
  );
const isIn = (file: string, place: string) => file === place || file.startsWith(`${place}/`);

it('only what the table of outbound connections names connects to anything', () => {
  expect(places.length).toBeGreaterThan(5);
  expect(connecting.filter((file) => !places.some((place) => isIn(file, place)))).toEqual([]);
});

it('the table of outbound connections names nothing that does not connect', () => {
  expect(places.filter((place) => !connecting.some((file) => isIn(file, place)))).toEqual([]);
});

it.each([
  "import { request } from 'node:https';",
  "import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';",
  "import { Redis } from 'ioredis';",
  "const { connect } = await import('node:net');",
  'const answer = await fetch(address);',
  "import dgram from 'node:dgram';",
])('the scan sees %s', (line) => {
  expect(CONNECTS.some((pattern) => pattern.test(line))).toBe(true);
});

it.each([
  "import type { Redis } from 'ioredis';",
  "import { isIP } from 'node:net';",
  "import { createServer } from 'node:http';",
  'cache.fetch(key)',
])('and not %s', (line) => {
  expect(CONNECTS.some((pattern) => pattern.test(line))).toBe(false);
});
