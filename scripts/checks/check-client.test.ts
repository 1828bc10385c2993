import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkClient, serverCodeIn } from './check-client.mjs';

/** The library as a minifier leaves it, resolved the way a browser or a server bundle would. */
async function bundled(code: string, platform: 'browser' | 'node'): Promise<string> {
  const result = await build({
    stdin: { contents: code, resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform,
    logLevel: 'silent',
    external: ['node:*', ...(platform === 'browser' ? BUILTINS : [])],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return result.outputFiles[0]?.text ?? '';
}
const BUILTINS = [
  'assert',
  'cluster',
  'crypto',
  'dns',
  'events',
  'fs',
  'net',
  'os',
  'path',
  'perf_hooks',
].concat([
  'process',
  'stream',
  'string_decoder',
  'tls',
  'url',
  'util',
  'v8',
  'buffer',
  'zlib',
  'http',
  'https',
]);

describe('server code is recognised once minified', () => {
  it.each([
    ['ioredis', 'browser'],
    ['ioredis', 'node'],
    ['pino', 'browser'],
    ['pino', 'node'],
    ['prom-client', 'browser'],
    ['prom-client', 'node'],
  ] as const)('%s for the %s', async (name, platform) => {
    const code = await bundled(`import * as x from '${name}'; console.log(x);`, platform);
    expect(serverCodeIn(code)).toContain(name);
  });

  it.each(['node:child_process', 'node:fs/promises', 'node:net'])('an import of %s', async (name) => {
    const code = await bundled(`import * as x from '${name}'; console.log(x);`, 'browser');
    expect(serverCodeIn(code)).toEqual([name]);
  });

  it('a script of the broker', () => {
    expect(serverCodeIn(`e="local t=redis.call('TIME')"`)).toHaveLength(1);
  });
});

it.each(['react-dom/client', '@tanstack/react-query', 'zod', 'recharts'])(
  '%s is no server code',
  async (name) => {
    const code = await bundled(`import * as x from '${name}'; console.log(x);`, 'browser');
    expect(code.length).toBeGreaterThan(10_000);
    expect(serverCodeIn(code)).toEqual([]);
  },
);

describe('the chunks of a build', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'redrive-client-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));
  const chunk = (name: string, code: string) => {
    mkdirSync(join(root, '.next/static/chunks'), { recursive: true });
    writeFileSync(join(root, '.next/static/chunks', name), code);
  };

  it('names the chunk and the library', () => {
    chunk('a.js', 'ok');
    chunk('b.js', 'x="Failed to refresh slots cache."');
    const { chunks, problems } = checkClient(root);
    expect(chunks).toBe(2);
    expect(problems).toEqual([
      '.next/static/chunks/b.js is sent to browsers and contains ioredis. Find the component that imports it.',
    ]);
  });

  it('no build is a failure, not a pass', () => {
    expect(checkClient(root).problems).toEqual(['There is no build to check. Run: npm run build']);
  });
});
