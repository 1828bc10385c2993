/** What a job, a console or a file holds must not act on the terminal of a reader. */
import { Readable } from 'node:stream';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { previewText } from '../commands/operation-flow';
import { contextOf } from './command-context';
import { fixtureTerminal } from './fixture-terminal';
import { writeContent } from './write-content';

const HOSTILE = 'a\u009b2Jb\u202ec\rd';
const SHOWN = 'a⟨U+009B⟩2Jb⟨U+202E⟩c⟨U+000D⟩d';
const preview = {
  kind: 'edit',
  count: 1,
  exact: true,
  breakdown: { queue: [], type: [], code: [] },
  skips: {},
  blocked: [],
  unsupported: [],
  advice: [],
  diffs: [{ jobId: HOSTILE, before: HOSTILE, after: '{}' }],
  needsApproval: false,
} as unknown as Parameters<typeof previewText>[0];
const contextWith = (json: boolean) => {
  const terminal = fixtureTerminal();
  const command = new Command().option('--json');
  command.parse(json ? ['--json'] : [], { from: 'user' });
  return { terminal, context: contextOf(command, terminal) };
};

test('a preview shows hidden characters of payloads', () => {
  const { terminal, context } = contextWith(false);
  context.show(preview, previewText);
  expect(terminal.output()).toContain(`${SHOWN}\n- ${SHOWN}\n+ {}`);
});

test('JSON has them as escapes, of the same value', () => {
  const { terminal, context } = contextWith(true);
  const value = { text: `${HOSTILE}ä😀\u{e0041}` };
  context.show(value, () => '');
  expect(terminal.output()).toMatch(/^[^\u007f-\u009f\u202e\r]*ä😀\\udb40\\udc41"\n\}\n$/u);
  expect(JSON.parse(terminal.output())).toEqual(value);
});

/** In parts that split characters. */
const contentOf = (text: string, end = true): Response => {
  const bytes = Buffer.from(text);
  const parts = [bytes.subarray(0, 2), bytes.subarray(2)];
  const stream = new Readable({
    read() {
      const part = parts.shift();
      if (part) this.push(part);
      else if (end) this.push(null);
    },
  });
  return new Response(Readable.toWeb(stream) as ReadableStream);
};

test('a file of the console is shown on a screen, and passes into a pipe as it is', async () => {
  const screen = fixtureTerminal();
  await writeContent(screen, contentOf(HOSTILE), 10_000);
  expect(screen.output()).toBe(`${SHOWN}\n`);
  const parts: Uint8Array[] = [];
  const write = async (part: string | Uint8Array) => void parts.push(Buffer.from(part));
  await writeContent({ ...screen, outputIsScreen: false, write }, contentOf(HOSTILE), 10_000);
  expect(Buffer.concat(parts).toString()).toBe(HOSTILE);
});

test('a stream that sends nothing more ends with a sentence, after what it sent', async () => {
  const terminal = fixtureTerminal();
  await expect(writeContent(terminal, contentOf('line', false), 50)).rejects.toThrow(
    'The console sent nothing for 0.05 seconds: the output is not complete.',
  );
  expect(terminal.output()).toBe('line');
});
