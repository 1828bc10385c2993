/**
 * `npx redrive console` for somebody without a clone: both packages packed, installed by npm into an empty folder, and the console started
 * there against a real Redis. Needs the build.
 */
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '@/testing/poll';
import { Processes, requireBuild, type Spawned } from '@/testing/worlds/processes';
import { startRealConsole } from '@/testing/worlds/real-console';
import { startRedisOnPort } from '@/testing/worlds/redis-server';

const ROOT = join(import.meta.dirname, '../..');
requireBuild();
/** The tarballs took 1.5 and 13.4 MB when this was written. */
const MAX_BYTES = { lib: 2_000_000, console: 18_000_000 };
const NPM_OPTIONS = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries', '5'];

const processes = new Processes();
const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const tarballs = { lib: `redrive-${version}.tgz`, console: `redrive-console-${version}.tgz` };
let dir = '';
let app = '';
let redis: Awaited<ReturnType<typeof startRedisOnPort>>;

/** Runs to its end, or tells what it said. */
async function finish(child: Spawned, timeoutMs: number, code = 0): Promise<string> {
  const exit = await until(() => (child.running() ? null : child.exited), {
    what: `${child.name} to end`,
    timeoutMs,
  });
  expect(exit.code, child.output()).toBe(code);
  return child.output();
}
const npm = (args: string[], cwd: string) =>
  finish(processes.spawn('npm', [...args, ...NPM_OPTIONS], { name: `npm ${args[0]}`, cwd }), 300_000);
const PROGRAM = ['--no-install', 'redrive', 'console'];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'redrive-packages-'));
  app = join(dir, 'app');
  redis = await startRedisOnPort();
  await finish(processes.node([join(ROOT, 'scripts/build-lib.mjs'), '--out', join(dir, 'lib')]), 300_000);
  const built = processes.node([join(ROOT, 'scripts/console-package.mjs'), '--out', join(dir, 'console')]);
  await finish(built, 300_000);
  for (const name of ['lib', 'console']) await npm(['pack', '--pack-destination', dir], join(dir, name));
  await mkdir(app);
  await npm(['init', '--yes'], app);
  await npm(['install', join(dir, tarballs.lib)], app);
}, 900_000);
afterAll(async () => {
  await processes.stopAll();
  await redis?.stop();
  await rm(dir, { recursive: true, force: true });
});

it('each tarball is small', async () => {
  for (const name of ['lib', 'console'] as const) {
    const { size } = await stat(join(dir, tarballs[name]));
    expect(size, tarballs[name]).toBeLessThan(MAX_BYTES[name]);
  }
});

it('without the console it names the package to install', async () => {
  const child = processes.spawn('npx', [...PROGRAM, '--redis', redis.url], { name: 'npx redrive', cwd: app });
  expect(await finish(child, 60_000, 1)).toContain('Install the package redrive-console of this version');
});

it('with the console it signs in by password, serves pages, scripts and API, and ends at Ctrl-C', async () => {
  await npm(['install', join(dir, tarballs.console)], app);
  const ann = { name: 'ann', password: 'correct horse battery', grants: [{ role: 'admin' as const }] };
  const program = { command: 'npx', args: PROGRAM, cwd: app };
  const server = await startRealConsole(processes, { redisUrl: redis.url, users: [ann], program });
  expect((await server.ask('/readyz')).status).toBe(200);
  const headers = await server.signIn(ann);
  const status = async (path: string) => (await server.ask(path, { headers })).status;
  for (const path of ['/', '/dead', '/redis', '/api/v1/queues', '/api/v1/redis', '/metrics'])
    expect([path, await status(path)]).toEqual([path, 200]);
  const page = (await server.ask('/', { headers })).text;
  const assets = [...page.matchAll(/(?:src|href)="(\/_next\/static\/[^"#]+)["#]/g)].map(
    ([, path = '']) => path,
  );
  expect(assets.length).toBeGreaterThan(3);
  for (const path of assets) expect([path, await status(path)]).toEqual([path, 200]);
  // As Ctrl-C does: to npm, its shell and the command at once.
  process.kill(-server.process.pid, 'SIGINT');
  await until(
    () =>
      server.ask('/healthz').then(
        () => null,
        () => true,
      ),
    { what: 'the console to end' },
  );
  expect(server.process.output()).not.toMatch(/Cannot find module|Error:/);
});
