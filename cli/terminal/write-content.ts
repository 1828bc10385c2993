/** Writes a file or a stream of the console while it arrives. */
import { revealHidden } from '@/lib/format/display-text';
import { readParts } from './read-content';
import type { Terminal } from './terminal';

/**
 * As it is into a file or a pipe; on a screen with hidden characters shown.
 * @throws CommandError when nothing comes for `idleMs`, or the connection breaks
 */
export async function writeContent(terminal: Terminal, response: Response, idleMs?: number): Promise<void> {
  const decoder = new TextDecoder();
  const shown = (text: string) => revealHidden(text, '\n\t');
  for await (const part of readParts(response, idleMs))
    await terminal.write(terminal.outputIsScreen ? shown(decoder.decode(part, { stream: true })) : part);
  if (terminal.outputIsScreen) await terminal.write(`${shown(decoder.decode())}\n`);
}
