/** One build for every path: what the build writes, what Next's server reads of it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freeBasePath, BASE_PATH_PLACEHOLDER as P } from './base-path.mjs';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'redrive-base-path-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
};
const read = (path: string) => readFileSync(join(dir, path), 'utf8');
const page = (src: string) => ({ document: { querySelector: () => ({ getAttribute: () => src }) } });

it('a script in the browser finds the path in the address of the first script', () => {
  write('static/chunks/a.js', `[0,"${P}/_next/x.svg"].concat("${P}")`);
  freeBasePath(dir);
  const at = (src: string) => runInNewContext(read('static/chunks/a.js'), page(src)) as unknown[];
  expect(at('/ops/redrive/_next/static/chunks/a.js')).toEqual([
    0,
    '/ops/redrive/_next/x.svg',
    '/ops/redrive',
  ]);
  expect(at('/_next/static/chunks/a.js')).toEqual([0, '/_next/x.svg', '']);
});

it('a script in the server has it from the start of the console', () => {
  write('server/chunks/ssr/a.js', `"${P}/_next/x.svg"`);
  freeBasePath(dir);
  const text = read('server/chunks/ssr/a.js');
  expect(runInNewContext(text, {})).toBe('/_next/x.svg');
  expect(runInNewContext(text, { redriveBasePath: '/ops' })).toBe('/ops/_next/x.svg');
});

it('nothing of the placeholder is left in other files, and files without it stay as they are', () => {
  write('routes-manifest.json', `{"basePath":"${P}"}`);
  write('server/app/page_client-reference-manifest.js', `{"chunks":["${P}/_next/static/chunks/a.js"]}`);
  write('static/chunks/b.js', '"/queues"');
  write('cache/turbopack/x', P);
  expect(freeBasePath(dir).sort()).toEqual([
    'routes-manifest.json',
    'server/app/page_client-reference-manifest.js',
  ]);
  expect(read('routes-manifest.json')).toBe('{"basePath":""}');
  expect(read('server/app/page_client-reference-manifest.js')).toBe(
    '{"chunks":["/_next/static/chunks/a.js"]}',
  );
});

it('a build fails where no expression can stand', () => {
  write('static/chunks/c.js', `\`at \${x}${P}\``);
  expect(() => freeBasePath(dir)).toThrow(
    'static/chunks/c.js has the placeholder of the base path inside a text',
  );
});
