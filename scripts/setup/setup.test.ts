import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fingerprint } from '../lib/build-fingerprint.mjs';
import { listenAddress, loadEnvOrExit, parseEnv } from '../lib/env-file.mjs';
import { isLoopback, whyNotListen } from '../lib/free-ports.mjs';
import { playwrightCounts, vitestCounts } from '../tests/test-reports.mjs';
import { chooseSteps, sideBySide } from '../tests/test-steps.mjs';
import { depsAreCurrent } from './npm-packages.mjs';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'redrive-tooling-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
  vi.unstubAllEnvs();
});

function write(path: string, content: unknown): string {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content));
  return full;
}

describe('counting tests', () => {
  it('counts a file that could not be loaded as a failure', () => {
    const report = write('r.json', {
      numPassedTests: 3,
      numFailedTests: 1,
      numPendingTests: 2,
      testResults: [
        {
          status: 'failed',
          name: join(process.cwd(), 'lib/a.test.ts'),
          startTime: 1_000,
          endTime: 3_500,
          assertionResults: [
            { status: 'failed', fullName: 'a queue is paused' },
            { status: 'passed', fullName: 'a queue is resumed' },
          ],
        },
        {
          status: 'failed',
          name: 'lib/b.test.ts',
          startTime: 1_000,
          endTime: 1_000,
          message: 'no such module\nat …',
          assertionResults: [],
        },
      ],
    });
    expect(vitestCounts(report, false)).toEqual({
      passed: 3,
      failed: 2,
      skipped: 2,
      failures: ['lib/a.test.ts > a queue is paused', 'lib/b.test.ts could not be run: no such module'],
      times: [
        { file: 'lib/a.test.ts', ms: 2_500 },
        { file: 'lib/b.test.ts', ms: 0 },
      ],
    });
  });

  it('counts a runner that broke down as a failure', () => {
    expect(vitestCounts(join(root, 'none.json'), false).failed).toBe(1);
    expect(playwrightCounts(join(root, 'none.json'), false).failed).toBe(1);
    const passing = write('r.json', {
      numPassedTests: 3,
      numFailedTests: 0,
      numPendingTests: 0,
      testResults: [],
    });
    expect(vitestCounts(passing, false)).toMatchObject({ passed: 3, failed: 1, skipped: 0 });
    expect(vitestCounts(passing, true).failed).toBe(0);
  });

  it('a browser test that passed on its second try has failed', () => {
    const spec = (title: string, status: string) => ({
      title,
      file: 'a.spec.ts',
      line: 7,
      tests: [{ status, results: [{ duration: 40 }] }],
    });
    const report = write('r.json', {
      stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 0 },
      suites: [
        {
          file: 'a.spec.ts',
          specs: [spec('one', 'flaky')],
          suites: [{ specs: [spec('two', 'unexpected')] }],
        },
        { file: 'b.spec.ts', specs: [spec('three', 'expected')] },
      ],
    });
    const failures = ['a.spec.ts:7 > one', 'a.spec.ts:7 > two'];
    const times = [
      { file: 'e2e/a.spec.ts', ms: 80 },
      { file: 'e2e/b.spec.ts', ms: 40 },
    ];
    expect(playwrightCounts(report, false)).toEqual({ passed: 5, failed: 2, skipped: 0, failures, times });
  });
});

describe('choosing steps', () => {
  const names = (argv: string[]) => chooseSteps(argv).steps.map(({ name }) => name);

  const stranger = ['lint', 'types', 'unit', 'redis', 'route', 'build', 'client', 'smoke'];
  const beyond = ['slow', 'process', 'chaos', 'e2e'];

  it('takes what `npm test` runs, or the steps named, in their own order', () => {
    expect(names([])).toEqual(stranger);
    expect(names(['--e2e', '--unit'])).toEqual(['unit', 'e2e']);
  });

  it('takes every step once between `npm test` and the steps beyond it', () => {
    expect(names(['--beyond'])).toEqual(beyond);
    expect(names(['--all'])).toEqual([...stranger, ...beyond]);
  });

  it('runs what mostly waits beside another step, or alone when that one was not asked for', () => {
    const plan = (argv: string[]) =>
      sideBySide(chooseSteps(argv).steps).map(({ step, aside }) => [step, ...aside].map(({ name }) => name));
    expect(plan(['--beyond'])).toEqual([['slow', 'process', 'chaos'], ['e2e']]);
    expect(plan(['--process', '--chaos'])).toEqual([['process'], ['chaos']]);
  });

  it('hands on what follows the dashes', () => {
    expect(chooseSteps(['--unit', '--', 'lib/format', '-t', 'x']).extra).toEqual(['lib/format', '-t', 'x']);
    expect(() => chooseSteps(['--lint', '--', 'x'])).toThrow(/none of these steps has one/);
  });

  it('knows what it does not know', () => {
    expect(() => chooseSteps(['--units'])).toThrow(/does not know --units\. It knows --all --beyond --lint/);
  });
});

describe('whether packages are installed', () => {
  const entry = (version: string, more = {}) => ({ version, integrity: `sha512-${version}`, ...more });
  const lock = (packages: object) =>
    write('package-lock.json', { packages: { '': { name: 'x' }, ...packages } });
  const stamp = (packages: object) => write('node_modules/.package-lock.json', { packages });

  it.each([
    ['the same', { a: entry('1') }, { a: entry('1') }, true],
    [
      'other platforms left out',
      { a: entry('1'), b: entry('1', { optional: true }) },
      { a: entry('1') },
      true,
    ],
    ['another version', { a: entry('2') }, { a: entry('1') }, false],
    ['one missing', { a: entry('1'), b: entry('1') }, { a: entry('1') }, false],
    ['one too many', { a: entry('1') }, { a: entry('1'), b: entry('1') }, false],
  ])('%s', (_, wanted, have, current) => {
    lock(wanted);
    stamp(have);
    expect(depsAreCurrent(root)).toBe(current);
  });

  it.each([
    ['those of tests left out', { a: entry('1'), b: entry('1', { dev: true }) }, { a: entry('1') }, true],
    ['those of tests in another version', { a: entry('2', { dev: true }) }, { a: entry('1') }, false],
    ['one of the console missing', { a: entry('1'), b: entry('1', { dev: true }) }, { b: entry('1') }, false],
  ])('for the demo: %s', (_, wanted, have, current) => {
    lock(wanted);
    stamp(have);
    expect(depsAreCurrent(root, { withTests: false })).toBe(current);
    expect(depsAreCurrent(root)).toBe(false);
  });

  it('nothing installed, or an install that was cut short', () => {
    lock({ a: entry('1') });
    expect(depsAreCurrent(root)).toBe(false);
  });
});

describe('whether a build is current', () => {
  it('changes with sources and not with tests or build output', () => {
    write('lib/a.ts', '1');
    const before = fingerprint(root);
    for (const path of ['lib/a.test.ts', '.next/x.js', 'node_modules/x.js', 'dist/x.js', 'README.md'])
      write(path, 'x');
    expect(fingerprint(root)).toBe(before);
    write('lib/a.ts', '2');
    expect(fingerprint(root)).not.toBe(before);
  });

  it('tells a moved file', () => {
    write('lib/a.ts', '1');
    const before = fingerprint(root);
    rmSync(join(root, 'lib/a.ts'));
    write('lib/b.ts', '1');
    expect(fingerprint(root)).not.toBe(before);
  });
});

describe('where to listen', () => {
  it('is loopback unless said otherwise, on a port that is one', () => {
    vi.stubEnv('PORT', '');
    vi.stubEnv('HOST', '');
    expect(listenAddress()).toEqual({ host: '127.0.0.1', port: 3000 });
    vi.stubEnv('PORT', '80a');
    expect(() => listenAddress()).toThrow('PORT must be a number from 1 to 65535, not "80a".');
  });

  it.each([
    ['127.0.0.1', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['127.0.0.1.example.org', false],
    ['192.168.1.5', false],
  ])('%s', (host, loopback) => expect(isLoopback(host)).toBe(loopback));

  it('says in a sentence that a port is taken', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    expect(await whyNotListen('127.0.0.1', port)).toMatch(`Port ${port} on 127.0.0.1 is taken.`);
    await new Promise((resolve) => server.close(resolve));
    expect(await whyNotListen('127.0.0.1', port)).toBeUndefined();
    // TEST-NET-1 is no address of any machine.
    expect(await whyNotListen('192.0.2.1', port)).toBe(
      'HOST is 192.0.2.1, which is no address of this machine. Some shells set HOST by themselves (conda, tcsh): run `unset HOST`, or set HOST=127.0.0.1 or HOST=0.0.0.0.',
    );
  });
});

it('reads an environment file', () => {
  const text = '# no\nA=1 # one\nexport B="two words"\n C = \'x#y\'\nURL=redis://h:1/0\nnothing\n#D=4\n';
  expect(parseEnv(text).values).toEqual({ A: '1', B: 'two words', C: 'x#y', URL: 'redis://h:1/0' });
});

it('lets a variable win over the file, unless it is empty', () => {
  for (const [name, value] of Object.entries({ F_SET: 'shell', F_EMPTY: '', REDRIVE_CONFIG_FILE: '' }))
    vi.stubEnv(name, value);
  vi.stubEnv('__NEXT_PROCESSED_ENV', '');
  write('.env', 'F_SET=file\nF_EMPTY=file\n');
  loadEnvOrExit(root);
  expect([process.env.F_SET, process.env.F_EMPTY]).toEqual(['shell', 'file']);
});
