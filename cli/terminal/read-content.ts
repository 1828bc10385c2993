/** Reads a file or a stream of the console while it arrives: it may be larger than memory, and a stream has no end. */
import type { z } from 'zod';
import { CommandError, EXIT } from './exit-codes';

/** Without --timeout. */
const IDLE_MS = 30_000;
/** Longer than any line the console sends. */
const LINE_MAX_CHARS = 8 * 1024 * 1024;

/** @throws CommandError when nothing comes for `idleMs`, or the connection breaks */
export async function* readParts(response: Response, idleMs = IDLE_MS): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await nextPart(reader, idleMs);
      if (done) return;
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** A JSON value a line. @throws CommandError as `readParts`, and when a line is not what `schema` says */
export async function* readLines<S extends z.ZodType>(
  response: Response,
  schema: S,
  idleMs?: number,
): AsyncGenerator<z.output<S>> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of readParts(response, idleMs)) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_MAX_CHARS)
      throw new CommandError('The console sent a line that is too long.', EXIT.failed);
    for (const line of lines) if (line.trim() !== '') yield schema.parse(JSON.parse(line));
  }
  if (rest.trim() !== '') yield schema.parse(JSON.parse(rest));
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
    if (error instanceof CommandError) throw error;
    throw new CommandError('The connection broke: the output is not complete.', EXIT.unreachable);
  } finally {
    clearTimeout(timer);
  }
}
