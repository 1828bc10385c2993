/** Reads a streamed answer, a JSON value a line, as it arrives. */
import type { z } from 'zod';
import { addressOf } from '../base-path';
import { ApiError, badReply, confirmedIdentity, parseJson, refusal, unreachable } from './api-client';
import { type ReplySchema, schemaOf } from './reply-schemas';

/** The server sends something every few seconds, so silence for this long means the connection is lost. */
export const SILENCE_MS = 20_000;
/** Longer than any line the server sends. */
const LINE_MAX_CHARS = 8 * 1024 * 1024;

interface LineOptions<S extends z.ZodType> {
  schema: ReplySchema<S>;
  signal: AbortSignal;
  silenceMs?: number;
}

/**
 * Yields the lines of each chunk together, so that a page renders once per chunk.
 * @throws ApiError when the stream is refused, breaks or times out; an abort by `signal` ends it without an error
 */
export async function* readLines<S extends z.ZodType>(
  path: string,
  options: LineOptions<S>,
): AsyncGenerator<z.output<S>[]> {
  try {
    yield* readOnce(path, options);
  } catch (error) {
    // Refused before the first line, so it can start after the user signs in again.
    if (!(await confirmedIdentity(error, options))) throw error;
    yield* readOnce(path, options);
  }
}

async function* readOnce<S extends z.ZodType>(
  path: string,
  options: LineOptions<S>,
): AsyncGenerator<z.output<S>[]> {
  const { signal, silenceMs = SILENCE_MS } = options;
  const silence = new AbortController();
  const both = AbortSignal.any([signal, silence.signal]);
  let timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const loading = schemaOf(options.schema);
    // Awaited below, with the first line.
    loading.catch(() => undefined);
    const response = await fetch(addressOf(path), {
      headers: { accept: 'application/x-ndjson' },
      cache: 'no-store',
      credentials: 'same-origin',
      signal: both,
    });
    if (!response.ok) throw await refusal(response, parseJson(await response.text()));
    if (!response.body) return;
    const schema = await loading;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
      const lines = (rest + (value ?? '')).split('\n');
      rest = done ? '' : (lines.pop() ?? '');
      if (rest.length > LINE_MAX_CHARS) throw badReply(response, false, null);
      const parsed = lines
        .filter((line) => line !== '')
        .map((line) => {
          const { success, data, error } = schema.safeParse(parseJson(line));
          if (!success) throw badReply(response, false, error);
          return data;
        });
      if (parsed.length > 0) yield parsed;
      if (done) return;
    }
  } catch (cause) {
    if (signal.aborted) return;
    if (cause instanceof ApiError) throw cause;
    if (!silence.signal.aborted) throw unreachable(false, cause);
    throw new ApiError({
      status: 0,
      code: 'TIMEOUT',
      detail: `The console said nothing for ${silenceMs / 1000} seconds.`,
      cause,
    });
  } finally {
    clearTimeout(timer);
    // A reader that stops early must not leave the search running.
    silence.abort();
  }
}
