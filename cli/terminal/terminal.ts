/** What a command sees of the world: streams, environment, clock. Tests give it another. */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { CommandError, EXIT } from './exit-codes';

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a person can answer questions. */
  readonly asks: boolean;
  /** Whether output may be coloured and overwritten. */
  readonly styled: boolean;
  /** Whether a person reads the output: what it gets must not act on a screen. */
  readonly outputIsScreen: boolean;
  out(text: string): void;
  /** Part of an output; resolves when there is room for more. */
  write(part: string | Uint8Array): Promise<void>;
  err(text: string): void;
  /** One line of an answer. */
  ask(question: string): Promise<string>;
  /** All of standard input. */
  readInput(): Promise<string>;
  wait(ms: number): Promise<void>;
  now(): number;
}

const INPUT_MAX_BYTES = 1_048_576;

export const processTerminal = (): Terminal => ({
  env: process.env,
  asks: process.stdin.isTTY === true && process.stderr.isTTY === true,
  styled: process.stderr.isTTY === true && (process.env.NO_COLOR ?? '') === '',
  outputIsScreen: process.stdout.isTTY === true,
  async write(part) {
    if (!process.stdout.write(part)) await once(process.stdout, 'drain');
  },
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(text),
  async ask(question) {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  },
  async readInput() {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of process.stdin) {
      parts.push(part as Buffer);
      bytes += (part as Buffer).length;
      if (bytes > INPUT_MAX_BYTES) throw new CommandError('The input is larger than 1 MiB.', EXIT.usage);
    }
    return Buffer.concat(parts).toString('utf8');
  },
  wait: (ms) => wait(ms),
  now: () => Date.now(),
});
