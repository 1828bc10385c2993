import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { RedriveError } from '@/lib/contract/redrive-error';
import { redriveProgram, runRedrive } from './run-redrive';
import { EXIT, exitCodeOf } from './terminal/exit-codes';
import { fixtureTerminal } from './terminal/fixture-terminal';

const docs = readFileSync(join(import.meta.dirname, '../docs/cli/commands.md'), 'utf8');

const leavesOf = (command: Command, path = ''): { path: string; command: Command }[] =>
  command.commands.length === 0
    ? [{ path, command }]
    : command.commands.flatMap((child) => leavesOf(child, `${path} ${child.name()}`.trim()));

const leaves = leavesOf(redriveProgram(fixtureTerminal()));

/** Arguments as the help shows them. */
const usageOf = ({ path, command }: (typeof leaves)[number]): string =>
  [
    path,
    ...command.registeredArguments.map((one) =>
      one.required
        ? `<${one.name()}${one.variadic ? '...' : ''}>`
        : `[${one.name()}${one.variadic ? '...' : ''}]`,
    ),
  ].join(' ');

test('every command is in the docs with its arguments and what it does, and no other', () => {
  const rows = leaves.map((leaf) => `| \`${usageOf(leaf)}\` | ${leaf.command.description()} |`);
  const documented = docs.split('\n').filter((line) => /^\| `[a-z]+[^|`]*` \|/.test(line));
  expect(documented).toEqual(rows);
});

test('every option is in the docs, and every exit code in docs and help', async () => {
  const commands = [redriveProgram(fixtureTerminal()), ...leaves.map(({ command }) => command)];
  const options = commands.flatMap((command) => command.options.flatMap(({ long }) => long ?? []));
  for (const option of new Set(options)) expect(docs, option).toContain(`\`${option}`);
  const terminal = fixtureTerminal();
  expect(await runRedrive(['--help'], terminal)).toBe(0);
  for (const code of Object.values(EXIT)) {
    expect(docs).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
    expect(terminal.output()).toMatch(new RegExp(`\\b${code} `));
  }
});

describe('help', () => {
  test.each(leaves.map(usageOf))('redrive %s', async (usage) => {
    const terminal = fixtureTerminal();
    const words = usage.split(' ').filter((word) => /^[a-z-]+$/.test(word));
    expect(await runRedrive([...words, '--help'], terminal)).toBe(0);
    expect(terminal.output()).toContain(`Usage: redrive ${words.join(' ')}`);
    expect(terminal.output()).toContain('--help');
  });
});

test('a change asks for its number, and does nothing without it', async () => {
  const unanswered = fixtureTerminal({ REDRIVE_URL: 'http://127.0.0.1:1' });
  expect(await runRedrive(['jobs', 'cancel', 'mail', 'a'], unanswered)).toBe(EXIT.notConfirmed);
  const refused = fixtureTerminal({ REDRIVE_URL: 'http://127.0.0.1:1' }, 'no');
  expect(await runRedrive(['jobs', 'cancel', 'mail', 'a'], refused)).toBe(EXIT.notConfirmed);
  // The console is away: it was asked only after the answer.
  const agreed = fixtureTerminal({ REDRIVE_URL: 'http://127.0.0.1:1' }, 'yes');
  expect(await runRedrive(['jobs', 'cancel', 'mail', 'a'], agreed)).toBe(EXIT.unreachable);
});

test.each([
  ['Write valid JSON.', ['api', 'GET', '/api/v1/queues', '--data', '{bad']],
  ['such as 50 or 90/min', ['operations', 'rate', 'op-1', 'x']],
  ['in which % is %25', ['api', 'GET', '/api/v1/queues/50%']],
  ['Write a path such as', ['api', 'GET', 'queues']],
  ['in ISO 8601', ['operations', 'start', 'reschedule', '--at', 'soon']],
  ['Allowed choices are redrive', ['operations', 'start', 'wipe']],
])('a value that the command refuses ends it with a sentence: %s', async (sentence, words) => {
  const terminal = fixtureTerminal({ REDRIVE_URL: 'http://127.0.0.1:1' });
  expect(await runRedrive(words, terminal)).toBe(EXIT.usage);
  expect(terminal.output()).toContain(sentence);
});

test.each([[['enqueue', 'mail', '--type', 'a']], [['stats']]])(
  'an address of a Redis is any that Redrive takes, and a wrong one is not repeated: %j',
  async (words) => {
    const runAt = async (url: string) => {
      const terminal = fixtureTerminal();
      const code = await runRedrive([...words, '--redis', url], terminal);
      return { code, text: terminal.output() };
    };
    const wrong = await runAt('http://ann:secret@redis:6379');
    expect(wrong).toEqual({ code: EXIT.usage, text: expect.stringMatching(/^--redis must be/) });
    expect(wrong.text).not.toContain('secret');
    expect((await runAt('unix:///nonexistent/redis.sock')).code).toBe(EXIT.unreachable);
  },
);

test.each(['https://ann:secret@redrive.example.com', 'ann:secret@redrive'])(
  'an address of a console with a password is refused, and not repeated: %#',
  async (url) => {
    const terminal = fixtureTerminal({ REDRIVE_URL: url });
    expect(await runRedrive(['queues'], terminal)).toBe(EXIT.usage);
    expect(terminal.output()).toMatch(/^url /);
    expect(terminal.output()).not.toContain('secret');
  },
);

test('a token crosses no network readable, unless told to', async () => {
  const env = { REDRIVE_URL: 'http://0.0.0.0:1', REDRIVE_TOKEN: 'rdt_secret' };
  const refused = fixtureTerminal(env);
  expect(await runRedrive(['queues'], refused)).toBe(EXIT.usage);
  expect(refused.output()).toMatch(/^url is http: .*--insecure-http/);
  expect(refused.output()).not.toContain('rdt_secret');
  expect(await runRedrive(['queues', '--insecure-http'], fixtureTerminal(env))).toBe(EXIT.unreachable);
});

test('an error of the broker has the exit code of its HTTP status', () => {
  const codes = (
    ['VALIDATION', 'QUEUE_NOT_FOUND', 'FORBIDDEN', 'REDIS_UNAVAILABLE', 'REDIS_FULL'] as const
  ).map((code) => exitCodeOf(new RedriveError(code, 'x')));
  expect(codes).toEqual([EXIT.refused, EXIT.notFound, EXIT.notAllowed, EXIT.unreachable, EXIT.unreachable]);
});

test('a log that was not read is not one that does not hold', async () => {
  const terminal = fixtureTerminal();
  expect(await runRedrive(['audit', 'head'], terminal)).toBe(EXIT.usage);
  expect(terminal.output()).toMatch(/^REDIS_URL is missing/);
});

describe('completion', () => {
  const scriptOf = async (shell: string) => {
    const terminal = fixtureTerminal();
    expect(await runRedrive(['completion', shell], terminal)).toBe(0);
    return terminal.output();
  };
  const LINES = [
    ['que', 'queues'],
    ['dead redr', 'redrive'],
    ['dead redrive --incl', '--include-unsafe'],
    ['dead search --cur', '--cursor'],
    ['dead --cur', '--cursor'],
    ['operations --status runn', 'running'],
    ['users file pass', 'passwd'],
    ['users file grant ann --mo', '--more'],
    ['queues show mail --js', '--json'],
    ['--url http://console dead gro', 'groups'],
    ['dead redrive type:a --reason list --wat', '--watch'],
    ['jobs list mail --state sched', 'scheduled'],
    ['operations start resch', 'reschedule'],
    ['operations start move type:a --t', '--to --token --timeout'],
  ] as const;
  const has = (program: string) => spawnSync(program, ['--version']).status === 0;

  test.each(LINES)('bash: redrive %s', async (line, words) => {
    const complete = `COMP_WORDS=(redrive ${line}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _redrive; echo "\${COMPREPLY[@]}"`;
    const output = execFileSync('bash', ['-c', `${await scriptOf('bash')}\n${complete}`]).toString();
    expect(output.trim().split(' ').sort()).toEqual(words.split(' ').sort());
  });

  test.runIf(has('zsh')).each(LINES)('zsh: redrive %s', async (line, words) => {
    // As bashcompinit calls it; only the line editor is not there.
    const complete = `compgen() { for word in \${=2}; do [[ $word == $4* ]] && print -r -- $word; done }
      call() { emulate -L sh; COMP_WORDS=(redrive ${line}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _redrive; echo "\${COMPREPLY[@]}"; }
      call`;
    const script = (await scriptOf('zsh')).replace(/^autoload.*$/m, '');
    const output = execFileSync('zsh', ['-fc', `complete() { :; }\n${script}\n${complete}`]).toString();
    expect(output.trim().split(/\s+/).sort()).toEqual(words.split(' ').sort());
  });

  test.runIf(has('fish')).each(LINES)('fish: redrive %s', async (line, words) => {
    const output = execFileSync('fish', [
      '-N',
      '-c',
      `${await scriptOf('fish')}\ncomplete -C 'redrive ${line}'`,
    ]);
    const found = output
      .toString()
      .trim()
      .split('\n')
      .map((row) => row.split('\t')[0]);
    expect(found.sort()).toEqual(words.split(' ').sort());
  });
});
