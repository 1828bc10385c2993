/** Reads a streamed answer, a JSON value a line, as it arrives. */
import type { z } from 'zod';
import { ApiError, answered, parseJson, refusal, unreachable } from './api';

/** The server says something at least every few seconds; silence for so long means that nobody is there. */
export const SILENCE_MS = 20_000;
/** No line of ours is longer: a page of job summaries. */
const LINE_MAX_CHARS = 8 * 1024 * 1024;

interface LineOptions<S extends z.ZodType> {
  schema: S;
  signal: AbortSignal;
  silenceMs?: number;
}

/**
 * Each chunk's lines at once, so that a page renders once a chunk and not once a line.
 * @throws ApiError when it is refused, breaks off or falls silent; an abort by `signal` ends it without an error
 */
export async function* readLines<S extends z.ZodType>(
  path: string,
  options: LineOptions<S>,
): AsyncGenerator<z.output<S>[]> {
  try {
    yield* readOnce(path, options);
  } catch (error) {
    // It was refused before its first line: who signs in again sees it begin.
    if (!(await answered(error, options))) throw error;
    yield* readOnce(path, options);
  }
}

async function* readOnce<S extends z.ZodType>(
  path: string,
  options: LineOptions<S>,
): AsyncGenerator<z.output<S>[]> {
  const { schema, signal, silenceMs = SILENCE_MS } = options;
  const silence = new AbortController();
  const both = AbortSignal.any([signal, silence.signal]);
  let timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const response = await fetch(path, {
      headers: { accept: 'application/x-ndjson' },
      cache: 'no-store',
      credentials: 'same-origin',
      signal: both,
    });
    if (!response.ok) throw refusal(response, parseJson(await response.text()));
    if (!response.body) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
      const lines = (rest + (value ?? '')).split('\n');
      rest = done ? '' : (lines.pop() ?? '');
      if (rest.length > LINE_MAX_CHARS) throw notUnderstood(null);
      const parsed = lines.filter((line) => line !== '').map((line) => parseLine(schema, line));
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
    // Whoever stops reading early must not leave the search running.
    silence.abort();
  }
}

function parseLine<S extends z.ZodType>(schema: S, line: string): z.output<S> {
  const parsed = schema.safeParse(parseJson(line));
  if (parsed.success) return parsed.data;
  throw notUnderstood(parsed.error);
}

const notUnderstood = (cause: unknown) =>
  new ApiError({
    status: 200,
    code: 'BAD_REPLY',
    detail:
      'The console sent a reply this page does not understand. Reload the page: it may be older than the server.',
    cause,
  });
