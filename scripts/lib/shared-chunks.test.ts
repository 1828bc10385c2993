/** Equal files of the build become one. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { shareChunks } from './shared-chunks.mjs';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'redrive-shared-chunks-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(dir, 'server', path)), { recursive: true });
  writeFileSync(join(dir, 'server', path), text);
};
const read = (path: string) => readFileSync(join(dir, 'server', path), 'utf8');
const chunk = (name: string, body = 'module.exports = [1, x => x]') =>
  `${body}\n\n//# sourceMappingURL=${name}.map`;

it('every route loads the one file that is left, and its source map stays', () => {
  for (const name of ['_a.js', '_b.js']) {
    write(`chunks/${name}`, chunk(name));
    write(`chunks/${name}.map`, '{}');
    write(`app/${name}/route.js`, `R.c("server/chunks/${name}")`);
    write(`app/${name}/route.js.nft.json`, `{"files":["../../chunks/${name}"]}`);
  }
  write('chunks/ssr/_b.js', chunk('_b.js'));
  write('chunks/_c.js', chunk('_c.js', 'module.exports = [2, x => x]'));
  expect(shareChunks(dir)).toBe(1);
  const [kept, gone] = existsSync(join(dir, 'server/chunks/_a.js')) ? ['_a', '_b'] : ['_b', '_a'];
  expect(read(`chunks/${kept}.js`)).toBe(chunk(`${kept}.js`));
  expect(existsSync(join(dir, `server/chunks/${kept}.js.map`))).toBe(true);
  for (const file of [`${gone}.js`, `${gone}.js.map`])
    expect(existsSync(join(dir, 'server/chunks', file)), file).toBe(false);
  for (const name of ['_a.js', '_b.js']) {
    expect(read(`app/${name}/route.js`)).toBe(`R.c("server/chunks/${kept}.js")`);
    expect(read(`app/${name}/route.js.nft.json`)).toBe(`{"files":["../../chunks/${kept}.js"]}`);
  }
  // Pages load from a folder of their own, and other content stays.
  expect(read('chunks/ssr/_b.js')).toBe(chunk('_b.js'));
  expect(read('chunks/_c.js')).toContain('[2, x => x]');
});

it('a build without equal files stays as it is', () => {
  mkdirSync(join(dir, 'server/chunks/ssr'), { recursive: true });
  write('chunks/_a.js', chunk('_a.js'));
  expect(shareChunks(dir)).toBe(0);
  expect(read('chunks/_a.js')).toBe(chunk('_a.js'));
});
