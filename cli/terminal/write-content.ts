/** Writes a file or a stream of the console while it arrives: it may be larger than memory, and a stream has no end. */
import { revealHidden } from '@/lib/format/display-text';
import { CommandError, EXIT } from './exit-codes';
import type { Terminal } from './terminal';

/** Without --timeout. */
const IDLE_MS = 30_000;

/**
 * As it is into a file or a pipe; on a screen with hidden characters shown.
 * @throws CommandError when nothing comes for `idleMs`, or the connection breaks
 */
export async function writeContent(terminal: Terminal, response: Response, idleMs = IDLE_MS): Promise<void> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  const shown = (text: string) => revealHidden(text, '\n\t');
  for (;;) {
    const { done, value } = await nextPart(reader, idleMs);
    if (done) break;
    await terminal.write(terminal.outputIsScreen ? shown(decoder.decode(value, { stream: true })) : value);
  }
  if (terminal.outputIsScreen) await terminal.write(`${shown(decoder.decode())}\n`);
}

async function nextPart(reader: ReadableStreamDefaultReader<Uint8Array>, idleMs: number) {
  let timer: NodeJS.Timeout | undefined;
  const idle = new Promise<never>((_, reject) => {
    const sentence = `The console sent nothing for ${idleMs / 1_000} seconds: the output is not complete.`;
    timer = setTimeout(() => reject(new CommandError(sentence, EXIT.unreachable)), idleMs);
  });
  try {
    return await Promise.race([reader.read(), idle]);
  } catch (error) {
    void reader.cancel().catch(() => undefined);
    if (error instanceof CommandError) throw error;
    throw new CommandError('The connection broke: the output is not complete.', EXIT.unreachable);
  } finally {
    clearTimeout(timer);
  }
}
