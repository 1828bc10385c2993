/**
 * The package as an application gets it: packed into a tarball, installed by npm, compiled without mercy, and run as real
 * processes on a real Redis.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scanImports } from '@/scripts/checks/import-graph.mjs';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { Processes, type Spawned } from '@/testing/worlds/processes';
import { startRedisOnPort } from '@/testing/worlds/redis-server';

const ROOT = join(import.meta.dirname, '../..');
const processes = new Processes();
let dir = '';
let app = '';
let redis: Awaited<ReturnType<typeof startRedisOnPort>>;
let broker: Broker;
let env: Record<string, string>;

/** Runs to its end, or tells what it said. */
async function finish(child: Spawned, timeoutMs = 120_000): Promise<string> {
  const exit = await until(() => (child.running() ? null : child.exited), {
    what: `${child.name} to end`,
    timeoutMs,
  });
  expect(exit.code, child.output()).toBe(0);
  return child.output();
}
/** What is known of packages is asked of the registry whatever is at hand: it may be out of breath for a moment. */
const NPM_OPTIONS = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries', '5'];
const npm = (args: string[], cwd: string) =>
  processes.spawn('npm', [...args, ...NPM_OPTIONS], { name: 'npm', cwd });

/** For a block that only shows a call of the broker. */
const BROKER =
  "declare const broker: ReturnType<typeof import('redrive').createClient>['broker'];\nexport {};\n";

/** The code of all pages, to be compiled with the application. Blocks of the guide import each other by the names they give themselves. */
async function writeDocs(folder: string): Promise<number> {
  const docs = await readdir(join(ROOT, 'docs'), { recursive: true });
  const pages = docs.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`);
  const names = new Set<string>();
  for (const page of ['README.md', ...pages]) {
    const text = await readFile(join(ROOT, page), 'utf8');
    for (const [i, [, code = '']] of [...text.matchAll(/```ts\n([\s\S]*?)```/g)].entries()) {
      const name = /^\/\/ ([\w.-]+)\n/.exec(code)?.[1] ?? `${page.replaceAll(/\W/g, '-')}-${i}.ts`;
      expect(names, `${page}: a second file of this name`).not.toContain(name);
      names.add(name);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, name), /^import /m.test(code) ? code : BROKER + code);
    }
  }
  return names.size;
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'redrive-package-'));
  app = join(dir, 'app');
  const built = processes.node([join(ROOT, 'scripts/build-lib.mjs'), '--out', join(dir, 'lib')]);
  redis = await startRedisOnPort();
  broker = createBroker({ url: redis.url });
  env = { REDIS_URL: redis.url, CHARGES_FILE: join(dir, 'charges.log') };
  await finish(built, 300_000);
  await finish(npm(['pack', '--pack-destination', dir], join(dir, 'lib')));
  await cp(import.meta.dirname, app, {
    recursive: true,
    filter: (file) => !/node_modules|dist|\.test\.ts$/.test(file.slice(import.meta.dirname.length)),
  });
  const manifest = JSON.parse(await readFile(join(app, 'package.json'), 'utf8'));
  const tarball = (await readdir(dir)).find((name) => name.endsWith('.tgz'));
  manifest.dependencies.redrive = `file:../${tarball}`;
  await writeFile(join(app, 'package.json'), JSON.stringify(manifest));
  // Of the guide eight, of the client of the API, the broker and the start of the README one each.
  expect(await writeDocs(join(app, 'src/docs'))).toBeGreaterThan(10);
  await finish(npm(['install'], app), 240_000);
}, 700_000);
afterAll(async () => {
  await processes.stopAll();
  broker?.close();
  await redis?.stop();
  await rm(dir, { recursive: true, force: true });
});

describe('the package', () => {
  const installed = (file: string) => readFile(join(app, 'node_modules/redrive', file), 'utf8');

  it('holds the bundle, its types and source map, its licence and its guide, and nothing else', async () => {
    const files = await readdir(join(app, 'node_modules/redrive'));
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'api.d.ts',
        'api.js',
        'index.d.ts',
        'index.js',
        'index.js.map',
        'package.json',
      ]),
    );
    expect(
      files.filter(
        (file) =>
          !/^(LICENSE|package\.json|[\w-]+\.md|(index|api|redrive|[\w-]+-\w{8})\.(js|js\.map|d\.ts))$/.test(
            file,
          ),
      ),
    ).toEqual([]);
    const map = JSON.parse(await installed('index.js.map'));
    expect(map.sources.filter((source: string) => !/(^|\/)(lib|cli)\//.test(source))).toEqual([]);
  });

  it('imports what its manifest names and nothing of the console', async () => {
    const manifest = JSON.parse(await installed('package.json'));
    const named = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const files = (await readdir(join(app, 'node_modules/redrive'))).filter((file) =>
      /\.(js|d\.ts)$/.test(file),
    );
    const imported: string[] = [];
    for (const file of files)
      imported.push(...scanImports(await installed(file)).map(({ specifier }) => specifier));
    const packages = imported
      .filter((specifier) => !/^(node:|\.)/.test(specifier))
      .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
    expect(packages).toEqual(expect.arrayContaining(['ioredis', 'zod', 'commander']));
    expect(packages.filter((specifier) => !named.includes(specifier))).toEqual([]);
    const tree = await readdir(join(app, 'node_modules'));
    expect(tree.filter((name) => /^(next|react|react-dom|prom-client)$/.test(name))).toEqual([]);
    expect(await installed('index.js')).not.toMatch(/\b(?:require|import)\(?\s*['"](?:next|react)\b/);
  });

  it('installs the command redrive, which keeps no users file', async () => {
    const command = join(app, 'node_modules/.bin/redrive');
    expect(await finish(processes.spawn(command, ['--help'], { name: 'redrive', cwd: app }))).toContain(
      'operations',
    );
    const users = processes.spawn(command, ['users', 'file', 'list'], { name: 'redrive users', cwd: app });
    expect(
      (await until(() => (users.running() ? null : users.exited), { what: 'redrive to end' })).code,
    ).toBe(2);
    expect(users.output()).toContain('npm run user there');
  });

  it('names no file of this repository, and links to no page it does not hold', async () => {
    const files = await readdir(join(app, 'node_modules/redrive'));
    for (const page of files.filter((file) => file.endsWith('.md'))) {
      const links = [...(await installed(page)).matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
      expect(links.filter(([, target = '']) => !files.includes(target))).toEqual([]);
    }
    expect(await installed('index.d.ts')).not.toMatch(/['"]@\//);
  });
});

describe('newcomer: the guide, followed word for word in an empty folder', () => {
  it('newcomer: installs, enqueues and runs a job with the commands and files of the page', async () => {
    const guide = await readFile(join(ROOT, 'docs/library.md'), 'utf8');
    const steps = guide.split('\n## First steps\n')[1]?.split('\n## ')[0] ?? '';
    const blocks = [...steps.matchAll(/```(sh|ts)\n([\s\S]*?)```/g)].map(([, kind, text = '']) => ({
      kind,
      text,
    }));
    const scripts = blocks.filter(({ kind }) => kind === 'sh').map(({ text }) => text.trim());
    expect(scripts.slice(1)).toEqual(['npx tsx producer.ts', 'npx tsx worker.ts']);
    const folder = join(dir, 'empty');
    await mkdir(folder);
    const tarball = steps.match(/redrive-[\d.]+\.tgz/)?.[0] ?? '';
    await cp(join(dir, tarball), join(folder, tarball));
    const run = (script: string) =>
      processes.spawn('sh', ['-e', '-c', script], {
        name: script,
        cwd: folder,
        env: { ...env, npm_config_fund: 'false' },
      });
    let said = '';
    for (const { kind, text } of blocks) {
      const name = text.match(/^\/\/ ([\w.-]+)\n/)?.[1];
      if (kind === 'ts' && name !== undefined) await writeFile(join(folder, name), text);
      else if (text.includes('worker.ts')) break;
      else said = await finish(run(text), 180_000);
    }
    const [, jobId = ''] = said.match(/^(\S+) ready$/m) ?? [];
    expect((await broker.inspect.job('mail', jobId)).state).toBe('ready');
    const worker = run(scripts[2] ?? '');
    await worker.prints(/welcome, u_1: mail to a@example\.com/, 30_000);
    await worker.prints(/"event":"job_completed"/, 30_000);
    process.kill(-worker.pid, 'SIGINT');
    await worker.exited;
    const { state, result } = await broker.inspect.job('mail', jobId);
    expect([state, result?.result]).toEqual(['completed', '{"sent":true}']);
  }, 300_000);
});

describe('an application on it', () => {
  it('compiles under every strictness, as does the TypeScript of every page, library types included', async () => {
    await finish(processes.node([join(app, 'node_modules/typescript/bin/tsc'), '-p', app], { cwd: app }));
  });

  it('enqueues, runs, stops half way without losing a job, and charges each invoice once', async () => {
    const produce = () => finish(processes.node(['dist/produce-invoices.js', '60'], { cwd: app, env }));
    expect(await produce()).toContain('60 invoices enqueued, 0 known already');
    expect(await produce()).toContain('0 invoices enqueued, 60 known already');

    const first = processes.node(['dist/invoice-worker.js'], { cwd: app, env });
    await until(() => (first.output().match(/"job_completed"/g) ?? []).length >= 10, {
      what: 'ten invoices to be charged',
      timeoutMs: 20_000,
    });
    first.kill('SIGTERM');
    await finish(first, 30_000);
    expect(first.output()).toContain('the worker has stopped');

    const second = processes.node(['dist/invoice-worker.js'], { cwd: app, env });
    const counts = async () => (await broker.inspect.snapshot(['billing']))[0]?.counts;
    await until(async () => (await counts())?.completed === 60, {
      what: 'all to be charged',
      timeoutMs: 30_000,
    });
    second.kill('SIGTERM');
    await finish(second, 30_000);

    const charges = (await readFile(env.CHARGES_FILE ?? '', 'utf8')).trim().split('\n');
    expect(charges.length).toBe(60);
    expect(new Set(charges).size).toBe(60);
    // Some mails were turned away, so some jobs ran twice; that is what `once` is for.
    expect(first.output() + second.output()).toContain('job_failed_retry_scheduled');
    expect(first.output() + second.output()).toContain('charged by an earlier run');
    expect(first.output() + second.output()).not.toContain('@example.com');
    expect(await broker.inspect.ledger('billing')).toMatchObject({ difference: 0, strayRows: 0 });
  });
});
