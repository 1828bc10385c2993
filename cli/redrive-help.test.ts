import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RedriveError } from '@/lib/contract/redrive-error';
import { wordsByCommand } from './commands/completion-command';
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
  const options = leaves.flatMap(({ command }) => command.options.flatMap(({ long }) => long ?? []));
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
    // The users file has a help of its own.
    if (usage.startsWith('users file')) return;
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
])('a value that the command refuses ends it with a sentence: %s', async (sentence, words) => {
  const terminal = fixtureTerminal({ REDRIVE_URL: 'http://127.0.0.1:1' });
  expect(await runRedrive(words, terminal)).toBe(EXIT.usage);
  expect(terminal.output()).toContain(sentence);
});

test('an address of a Redis is any that Redrive takes, and a wrong one is not repeated', async () => {
  const enqueueAt = async (url: string) => {
    const terminal = fixtureTerminal();
    const code = await runRedrive(['enqueue', 'mail', '--type', 'a', '--redis', url], terminal);
    return { code, text: terminal.output() };
  };
  const wrong = await enqueueAt('http://ann:secret@redis:6379');
  expect(wrong).toEqual({ code: EXIT.usage, text: expect.stringMatching(/^--redis must be/) });
  expect(wrong.text).not.toContain('secret');
  expect((await enqueueAt('unix:///nonexistent/redis.sock')).code).toBe(EXIT.unreachable);
});

test.each(['https://ann:secret@redrive.example.com', 'ann:secret@redrive'])(
  'an address of a console with a password is refused, and not repeated: %#',
  async (url) => {
    const terminal = fixtureTerminal({ REDRIVE_URL: url });
    expect(await runRedrive(['queues'], terminal)).toBe(EXIT.usage);
    expect(terminal.output()).toMatch(/^url /);
    expect(terminal.output()).not.toContain('secret');
  },
);

test('an error of the broker has the exit code of its HTTP status', () => {
  const codes = (
    ['VALIDATION', 'QUEUE_NOT_FOUND', 'FORBIDDEN', 'REDIS_UNAVAILABLE', 'REDIS_FULL'] as const
  ).map((code) => exitCodeOf(new RedriveError(code, 'x')));
  expect(codes).toEqual([EXIT.refused, EXIT.notFound, EXIT.notAllowed, EXIT.unreachable, EXIT.unreachable]);
});

describe('audit', () => {
  afterEach(() => vi.unstubAllEnvs());

  test('a log that was not read is not one that does not hold', async () => {
    vi.stubEnv('REDIS_URL', '');
    const terminal = fixtureTerminal();
    expect(await runRedrive(['audit', 'head'], terminal)).toBe(EXIT.failed);
    expect(terminal.output()).toBe('The audit log was not read.\n');
  });
});

test('the completion of bash knows the commands and options of each command', async () => {
  const terminal = fixtureTerminal();
  expect(await runRedrive(['completion', 'bash'], terminal)).toBe(0);
  const complete = (words: string) =>
    execFileSync('bash', [
      '-c',
      `${terminal.output()}\nCOMP_WORDS=(redrive ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _redrive; echo "\${COMPREPLY[@]}"`,
    ]).toString();
  expect(complete('que')).toBe('queues\n');
  expect(complete('dead redr')).toBe('redrive\n');
  expect(complete('dead redrive --can')).toBe('--canary\n');
  expect(wordsByCommand(redriveProgram(terminal)).get('operations')).toContain('watch');
});
