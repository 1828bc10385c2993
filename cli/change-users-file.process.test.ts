/** `npm run user` as a person runs it: real processes, a real file, and a real terminal where there is one to be had. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '@node-rs/argon2';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localUsersSchema } from '@/lib/contract/access/access-schemas';
import { until } from '@/testing/poll';

const ROOT = join(import.meta.dirname, '..');
const PASSWORD = 'violet kettle harbor nineteen';
let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'redrive-user-'));
  file = join(dir, 'users.json');
});
afterEach(() => rmSync(dir, { recursive: true }));

const COMMAND = [
  '--import',
  './scripts/ensure-lua.mjs',
  '--import',
  'tsx',
  '--import',
  './scripts/load-env.mjs',
  ...['cli/redrive.ts', 'users', 'file'],
];
const env = () => ({ ...process.env, REDRIVE_USERS_FILE: file });

interface Run {
  code: number | null;
  output: string;
}

function user(words: string[], input = ''): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...COMMAND, ...words], {
    cwd: ROOT,
    env: env(),
    input,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, output: stdout + stderr };
}
const users = () => localUsersSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).users;

test('the command of package.json is the one tested here', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts.user).toBe(`node ${COMMAND.join(' ')}`);
});

test('a user from the first to the last day', async () => {
  const added = user(
    ['add', 'Ann Lee', '--role', 'operator', '--queues', 'mail*, billing', '--tenants', 'acme'],
    `${PASSWORD}\n`,
  );
  expect(added).toEqual({ code: 0, output: 'Added Ann Lee: operator of mail*, billing, tenants acme.\n' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [ann] = users();
  expect(ann?.grants).toEqual([{ role: 'operator', queues: ['mail*', 'billing'], tenants: ['acme'] }]);
  expect(ann?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verify(ann?.hash ?? '', PASSWORD)).toBe(true);
  expect(readFileSync(file, 'utf8')).not.toContain('kettle');

  expect(user(['grant', 'ann lee', '--role', 'viewer', '--more']).code).toBe(0);
  expect(users()[0]?.grants.map(({ role }) => role)).toEqual(['operator', 'viewer']);
  expect(user(['grant', 'ann lee', '--role', 'admin']).output).toContain('may now: admin of all queues');
  const { id } = users()[0] ?? {};
  const another = 'another harbor of marble onions\n';
  expect(user(['passwd', 'ANN LEE', '--tokens', 'keep'], another).output).toContain('tokens stay in force');
  expect(await verify(users()[0]?.hash ?? '', 'another harbor of marble onions')).toBe(true);
  expect(id).toMatch(/^[0-9a-f]{20}$/);
  expect(user(['list']).output).toBe(`Ann Lee\tadmin of all queues\t${id}\n`);
  expect(user(['remove', 'ann lee']).code).toBe(0);
  expect(users()).toEqual([]);
  expect(existsSync(`${file}.new`)).toBe(false);
});

test('L2: ids are random, stay with their user, and never come back', () => {
  const add = () => expect(user(['add', 'Ann', '--role', 'viewer'], `${PASSWORD}\n`).code).toBe(0);
  const id = () => users()[0]?.id;
  add();
  const first = id();
  expect(user(['grant', 'Ann', '--role', 'admin']).code).toBe(0);
  expect(id()).toBe(first);
  expect(user(['remove', 'Ann']).output).toContain('a new user of that name does not get them back');
  add();
  expect(id()).toMatch(/^[0-9a-f]{20}$/);
  expect(id()).not.toBe(first);
});

test('L2: a user written without an id keeps the one that follows from the hash when the password changes', () => {
  expect(user(['add', 'Ann', '--role', 'viewer'], `${PASSWORD}\n`).code).toBe(0);
  const bare = users().map(({ id: _, ...rest }) => rest);
  writeFileSync(file, JSON.stringify({ users: bare }));
  const [, , id] = user(['list']).output.trim().split('\t');
  expect(id).toMatch(/^[0-9a-f]{20}$/);
  const words = ['passwd', 'Ann', '--tokens', 'end'];
  expect(user(words, 'another harbor of marble onions\n').output).toContain('So have their API tokens');
  expect(users()).toMatchObject([{ id, tokenGeneration: 2 }]);
});

test('L2: another password says whether API tokens end, too', () => {
  expect(user(['add', 'Ann', '--role', 'viewer'], `${PASSWORD}\n`).code).toBe(0);
  const before = readFileSync(file, 'utf8');
  for (const [words, sentence] of [
    [[], '--tokens end or --tokens keep. Nothing was changed.'],
    [['--tokens', 'some'], 'Allowed choices are end, keep.'],
  ] as const)
    expect(user(['passwd', 'Ann', ...words], 'another harbor of marble onions\n')).toMatchObject({
      code: 2,
      output: expect.stringContaining(sentence),
    });
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('a password that will not do is refused with the reason, and none at all, too', () => {
  expect(user(['add', 'Ann', '--role', 'viewer'], 'passwordpassword\n').output).toContain(
    'too easy to guess',
  );
  expect(user(['add', 'Ann', '--role', 'viewer'], '')).toMatchObject({
    code: 7,
    output: expect.stringContaining('No password came in'),
  });
  expect(existsSync(file)).toBe(false);
});

test('any letters may be in it, however they are composed', async () => {
  const password = 'zwölf Boxkämpfer "jagen" \\ {Viktor} 九';
  expect(user(['add', 'Ann', '--role', 'viewer'], `${password.normalize('NFD')}\n`).code).toBe(0);
  expect(await verify(users()[0]?.hash ?? '', password.normalize('NFC'))).toBe(true);
});

test.each<[number, string[], string]>([
  [2, ['add', 'Ann', '--role', 'viewer', PASSWORD], 'a password is never part of the command'],
  [2, ['add', 'Ann', '--role', 'viewer', '--password', PASSWORD], 'unknown option'],
  [2, ['add', 'Ann'], '--role <role>'],
  [2, ['add', 'Ann', '--role', 'root'], 'Allowed choices are'],
  [3, ['add', 'Ann', '--role', 'viewer', '--queues', '*mail'], 'queues'],
  [3, ['add', 'a\u202eb', '--role', 'viewer'], 'invisible'],
  [3, ['remove', 'eve'], 'There is no user eve'],
  [2, ['destroy', 'eve'], "unknown command 'destroy'"],
  [2, ['constructor'], "unknown command 'constructor'"],
])('refused with %i: %j', (exitCode, words, sentence) => {
  const { code, output } = user(words, `${PASSWORD}\n`);
  expect(output).toContain(sentence);
  expect(output).not.toMatch(/\n {4}at /);
  expect(output).not.toContain('kettle');
  expect(code).toBe(exitCode);
  expect(existsSync(file)).toBe(false);
});

test('a name is taken in any case, and a file that is not ours is left alone', () => {
  expect(user(['add', 'Ann', '--role', 'viewer'], `${PASSWORD}\n`).code).toBe(0);
  expect(user(['add', 'ANN', '--role', 'admin'], `${PASSWORD}\n`).output).toContain(
    'There is a user ANN already',
  );
  writeFileSync(file, '{"users": [{"name": "Ann"');
  expect(user(['add', 'Bob', '--role', 'viewer'], `${PASSWORD}\n`).output).toContain('is not JSON');
  expect(readFileSync(file, 'utf8')).toBe('{"users": [{"name": "Ann"');
  writeFileSync(file, '{"users": [], "more": 1}');
  expect(user(['list']).output).toContain('is not a file of users');
});

test('two at once: both are in, or the second is told; a file that could be read by others no longer can', async () => {
  expect(user(['add', 'Ann', '--role', 'viewer'], `${PASSWORD}\n`).code).toBe(0);
  chmodSync(file, 0o644);
  const start = (name: string) =>
    new Promise<number | null>((resolve) => {
      const child = spawn(process.execPath, [...COMMAND, 'add', name, '--role', 'viewer'], {
        cwd: ROOT,
        env: env(),
      });
      child.once('exit', resolve);
      child.stdin.end(`${PASSWORD}\n`);
    });
  const codes = await Promise.all([start('Bob'), start('Cid'), start('Dan')]);
  const names = users().map(({ name }) => name);
  expect(names).toHaveLength(1 + codes.filter((code) => code === 0).length);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(`${file}.new`, '');
  expect(user(['remove', 'Ann']).output).toContain(`remove ${file}.new`);
});

test('a link to the file stays a link', () => {
  const real = join(dir, 'real.json');
  writeFileSync(real, '{"users": []}', { mode: 0o600 });
  symlinkSync(real, file);
  expect(user(['add', 'Ann', '--role', 'viewer'], `${PASSWORD}\n`).code).toBe(0);
  expect(readFileSync(real, 'utf8')).toContain('Ann');
});

/** util-linux's `script` gives a command a terminal of its own. */
const HAS_TERMINAL = spawnSync('script', ['--version']).status === 0;
test.runIf(HAS_TERMINAL)(
  'at a terminal it asks twice and shows nothing; L2: and it asks about API tokens',
  async () => {
    async function type(
      first: string,
      second: string,
      words = ['add', 'Ann', '--role', 'viewer'],
    ): Promise<Run> {
      const command = [process.execPath, ...COMMAND, ...words].join(' ');
      const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: ROOT, env: env() });
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
      if (words[0] === 'passwd') {
        await until(() => output.includes('(end, keep): '), { what: 'the choice', timeoutMs: 30_000 });
        child.stdin.write('end\r');
      }
      await until(() => output.includes('Password for Ann: '), { what: 'the question', timeoutMs: 30_000 });
      child.stdin.write(`${first}\r`);
      await until(() => output.includes('Once more: '), { what: 'the second question', timeoutMs: 30_000 });
      child.stdin.write(`${second}\r`);
      return { code: await exited, output };
    }
    const wrong = await type(PASSWORD, 'something else entirely');
    expect(wrong.output).toContain('The two were not the same');
    expect(existsSync(file)).toBe(false);
    const right = await type(`${PASSWORD}x\u007f`, PASSWORD);
    expect(right.output).toContain('Added Ann');
    expect(wrong.output + right.output).not.toContain('kettle');
    expect(await verify(users()[0]?.hash ?? '', PASSWORD)).toBe(true);
    const other = 'another harbor of marble onions';
    const changed = await type(other, other, ['passwd', 'Ann']);
    expect(changed.output).toContain('Do the API tokens of Ann end, too?');
    expect(changed.output).not.toContain('harbor');
    expect(changed.output).toContain('So have their API tokens');
    expect(users()).toMatchObject([{ tokenGeneration: 2 }]);
    expect(await verify(users()[0]?.hash ?? '', other)).toBe(true);
  },
);
