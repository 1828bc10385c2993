/** Reads a password, and a choice beside it: from a terminal without showing it, twice; from anything else the first line. Never from the command's words. */
import { createInterface } from 'node:readline';
import type { ReadStream } from 'node:tty';
import { PASSWORD_MAX_CHARS } from '../lib/contract/access/access-limits';

const INPUT_DEADLINE_MS = 120_000;
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const ESCAPE = '\u001b';

/** @throws Error with a sentence for the person at the terminal */
export async function readPassword(name: string): Promise<string> {
  const { stdin } = process;
  if (!stdin.isTTY) return firstLine(stdin);
  // Raw from before the first question to after the last: what is typed ahead is not shown either.
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  try {
    const password = await ask(stdin, `Password for ${name}: `);
    if ((await ask(stdin, 'Once more: ')) !== password)
      throw new Error('The two were not the same. Nothing was changed.');
    return password;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
}

/** A word typed at a terminal, shown while it is typed; null: there is no terminal to ask. */
export async function readChoice(prompt: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await new Promise<string>((resolve) => {
      const timer = setTimeout(() => lines.close(), INPUT_DEADLINE_MS);
      lines.once('close', () => {
        clearTimeout(timer);
        resolve('');
      });
      lines.question(prompt, resolve);
    });
    return answer.trim().toLowerCase();
  } finally {
    lines.close();
  }
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const timer = setTimeout(() => lines.close(), INPUT_DEADLINE_MS);
  try {
    for await (const line of lines) return line.normalize('NFC');
    throw new Error('No password came in. Give it as one line of standard input.');
  } finally {
    clearTimeout(timer);
    lines.close();
  }
}

/** Letter by letter: in raw mode the terminal shows nothing, and does nothing by itself. */
function ask(input: ReadStream, prompt: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let letters: string[] = [];
    const end = (problem?: string) => {
      clearTimeout(timer);
      input.off('data', take);
      process.stderr.write('\n');
      if (problem) reject(new Error(problem));
      else resolve(letters.join('').normalize('NFC'));
    };
    const timer = setTimeout(() => end('No password came in within two minutes.'), INPUT_DEADLINE_MS);
    const take = (chunk: string) => {
      // An arrow or function key is no letter of a password.
      if (chunk.startsWith(ESCAPE)) return;
      for (const letter of chunk) {
        if (letter === '\r' || letter === '\n') return end();
        if (letter === CTRL_C || letter === CTRL_D) return end('Stopped. Nothing was changed.');
        if (letter === '\u007f' || letter === '\b') letters = letters.slice(0, -1);
        else if (letters.length <= PASSWORD_MAX_CHARS) letters.push(letter);
      }
    };
    input.on('data', take);
    input.resume();
    process.stderr.write(prompt);
  });
}
