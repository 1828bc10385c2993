/** A terminal for tests: keeps what is written, and answers every question alike. */
import type { Terminal } from './terminal';

export interface FixtureTerminal extends Terminal {
  /** All that was written so far. */
  output(): string;
}

/** @param answer undefined: it cannot ask */
export function fixtureTerminal(env: Terminal['env'] = {}, answer?: string): FixtureTerminal {
  const parts: string[] = [];
  return {
    env,
    asks: answer !== undefined,
    styled: false,
    outputIsScreen: true,
    write: async (part) => void parts.push(typeof part === 'string' ? part : Buffer.from(part).toString()),
    out: (text) => void parts.push(`${text}\n`),
    err: (text) => void parts.push(text),
    ask: async () => answer ?? '',
    readInput: async () => '',
    wait: async () => undefined,
    now: () => 0,
    output: () => parts.join(''),
  };
}
