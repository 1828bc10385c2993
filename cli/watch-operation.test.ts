/** `--watch`: the progress bar with rate and time left, and when it overwrites its line. */
import { afterEach, expect, test, vi } from 'vitest';
import type { Operation } from '@/lib/contract/operations/operation';
import { completedOperation } from '@/testing/records/completed-operation';
import { progressText, watchOperation } from './commands/watch-operation';
import type { CommandContext } from './terminal/command-context';
import { fixtureTerminal } from './terminal/fixture-terminal';
import { processTerminal } from './terminal/terminal';

const operation = (fields: Partial<Operation>): Operation =>
  completedOperation({ expected: 100, phase: null, error: null, undo: null, ...fields });
const running = (moved: number) => operation({ status: 'running', moved });
const BLANK = ' '.repeat(24);

/** Watches an operation that is so at each look, a second apart. */
async function watched(looks: readonly Operation[], styled: boolean): Promise<string> {
  let now = 0;
  let look = 0;
  const terminal = {
    ...fixtureTerminal(),
    styled,
    now: () => now,
    wait: async (ms: number) => {
      now += ms;
    },
  };
  const context = {
    terminal,
    options: {},
    api: { getOperation: async () => looks[look++] },
    show: (value: Operation, text: (value: Operation) => string) => terminal.out(text(value)),
  } as unknown as CommandContext;
  await watchOperation(context, 'op-1');
  return terminal.output();
}

test('a line for each change, with the rate since the watch began and the time that is left', async () => {
  const looks = [running(0), running(10), running(10), operation({ moved: 98, skipped: 2 })];
  expect((await watched(looks, false)).split('\n')).toEqual([
    `[${BLANK}] 0 of 100 re-driven`,
    `[==${BLANK.slice(2)}] 10 of 100 re-driven, 10/s, 9.0 s left`,
    `[==${BLANK.slice(2)}] 10 of 100 re-driven, 5.0/s, 18 s left`,
    `[${'='.repeat(24)}] 98 of 100 re-driven, 2 skipped, 33/s, completed`,
    'Operation op-1 is completed: 98 re-driven, 2 skipped.',
    '',
  ]);
});

test('a watch that begins late counts what moved since', async () => {
  const output = await watched([running(50), running(60), operation({ moved: 100 })], false);
  expect(output).toContain('60 of 100 re-driven, 10/s, 4.0 s left\n');
});

test('the line is overwritten where that is possible', async () => {
  const output = await watched([running(0), operation({ moved: 100 })], true);
  expect(output.split('\r\u001b[2K')).toEqual([
    '',
    `[${BLANK}] 0 of 100 re-driven`,
    expect.stringMatching(/^\[=+\] 100 of 100 .*\n/),
  ]);
});

test('an operation of unknown size, and one that waits for approval', () => {
  expect(progressText(operation({ status: 'running', moved: 0, expected: 0 }), 0)).toBe(
    `[${'='.repeat(24)}] 0 of 0 re-driven`,
  );
  expect(progressText(operation({ status: 'awaiting-approval', moved: 0 }), 0)).toMatch(
    /re-driven, awaiting-approval$/,
  );
});

const isTTY = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
afterEach(() => {
  vi.unstubAllEnvs();
  if (isTTY) Object.defineProperty(process.stderr, 'isTTY', isTTY);
  else Reflect.deleteProperty(process.stderr, 'isTTY');
});

test.each([
  [true, undefined, true],
  [true, '', true],
  [true, '1', false],
  [false, undefined, false],
])('on a terminal: %s, NO_COLOR: %s', (terminal, value, styled) => {
  Object.defineProperty(process.stderr, 'isTTY', { value: terminal, configurable: true });
  vi.stubEnv('NO_COLOR', value);
  expect(processTerminal().styled).toBe(styled);
});
