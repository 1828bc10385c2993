/** What every command has: the client of the console, output for people or programs, and a question before a change. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { type ApiClient, createApiClient } from '@/lib/api-client';
import { revealHidden } from '@/lib/format/display-text';
import { CommandError, EXIT, exitCodeOf, sentenceOf } from './exit-codes';
import { jsonText } from './print-table';
import type { Terminal } from './terminal';

export interface GlobalOptions {
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly timeout?: number;
  readonly insecureHttp?: boolean;
  readonly idempotencyKey?: string;
}

export interface CommandContext {
  readonly terminal: Terminal;
  readonly options: GlobalOptions;
  readonly api: ApiClient;
  /** For every change: the same within one command, or the one given. */
  readonly idempotencyKey: string;
  /** Sends a change that takes effect once for one key. @throws CommandError that names the key when no answer came */
  sendOnce<T>(send: (idempotencyKey: string) => Promise<T>): Promise<T>;
  /** Prints the value as JSON, or its text. */
  show<T>(value: T, text: (value: T) => string): void;
  /** @throws CommandError when the answer is not `expected` */
  confirm(what: string, expected?: string): Promise<void>;
}

export function contextOf(command: Command, terminal: Terminal): CommandContext {
  const options: GlobalOptions = command.optsWithGlobals();
  const idempotencyKey = options.idempotencyKey ?? randomUUID();
  let api: ApiClient | undefined;
  return {
    terminal,
    options,
    get api() {
      api ??= clientOf(options, terminal);
      return api;
    },
    idempotencyKey,
    async sendOnce(send) {
      try {
        return await send(idempotencyKey);
      } catch (error) {
        if (exitCodeOf(error) !== EXIT.unreachable) throw error;
        const again = `Send it again with --idempotency-key ${idempotencyKey} and it takes effect once.`;
        throw new CommandError(`${sentenceOf(error)} ${again}`, EXIT.unreachable);
      }
    },
    show(value, text) {
      terminal.out(options.json ? jsonText(value) : revealHidden(text(value), '\n'));
    },
    async confirm(what, expected = 'yes') {
      if (options.yes) return;
      if (!terminal.asks)
        throw new CommandError(
          `${what} Nothing was changed: there is no terminal to ask. Add --yes.`,
          EXIT.notConfirmed,
        );
      const answer = await terminal.ask(revealHidden(`${what} Type ${expected} to go on: `, '\n'));
      if (answer.trim().replaceAll(',', '') !== expected)
        throw new CommandError('Not confirmed: nothing was changed.', EXIT.notConfirmed);
    },
  };
}

function clientOf({ url, token, timeout, insecureHttp }: GlobalOptions, { env }: Terminal): ApiClient {
  const address = url ?? env.REDRIVE_URL;
  if (!address)
    throw new CommandError(
      'Say which console: --url https://redrive.example.com, or REDRIVE_URL.',
      EXIT.usage,
    );
  try {
    return createApiClient({
      url: address,
      token: token ?? (env.REDRIVE_TOKEN || undefined),
      timeoutMs: timeout,
      insecureHttp,
    });
  } catch (error) {
    throw new CommandError((error as Error).message, EXIT.usage);
  }
}
