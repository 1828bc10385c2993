import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { until } from '@/testing/poll';
import { ApiError } from './api-client';
import { readLines } from './ndjson-reader';

const schema = z.object({ n: z.number() });
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A real server that answers as the test says. */
async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function all(url: string, signal = new AbortController().signal, silenceMs?: number) {
  const chunks: number[][] = [];
  for await (const lines of readLines(url, { schema, signal, silenceMs }))
    chunks.push(lines.map(({ n }) => n));
  return chunks;
}
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error as ApiError,
  );

it('puts lines together again that arrive in pieces, letters of several bytes included', async () => {
  const url = await serve((response) => {
    const bytes = Buffer.from('{"n":1,"x":"ü€😀"}\n{"n":2}\n\n{"n":3}');
    for (const byte of bytes) response.write(Buffer.from([byte]));
    response.end();
  });
  expect((await all(url)).flat()).toEqual([1, 2, 3]);
});

it('throws what the server designed when it refuses', async () => {
  const problem = { type: 't', title: 'x', status: 429, code: 'TOO_MANY_STREAMS', detail: 'Four run.' };
  const url = await serve((response) => {
    response.writeHead(429, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify(problem));
  });
  expect(await failureOf(all(url))).toMatchObject({ code: 'TOO_MANY_STREAMS', detail: 'Four run.' });
});

it('says so when a line is none of ours, when it breaks off, and when nothing comes', async () => {
  const strange = await serve((response) => response.end('{"m":1}\n'));
  expect(await failureOf(all(strange))).toMatchObject({ code: 'BAD_REPLY' });
  const broken = await serve((response) => {
    response.write('{"n":1}\n', () => response.destroy());
  });
  expect(await failureOf(all(broken))).toMatchObject({ code: 'UNREACHABLE' });
  const silent = await serve((response) => {
    response.write('{"n":1}\n');
  });
  const error = await failureOf(all(silent, undefined, 50));
  expect(error).toBeInstanceOf(ApiError);
  expect(error.code).toBe('TIMEOUT');
});

it('tells the server when the reader leaves, by abort or by reading no further', async () => {
  let open = 0;
  const url = await serve((response) => {
    open++;
    response.on('close', () => open--);
    response.write('{"n":1}\n');
  });
  const leaving = new AbortController();
  for await (const lines of readLines(url, { schema, signal: leaving.signal })) {
    expect(lines).toEqual([{ n: 1 }]);
    leaving.abort();
  }
  await until(async () => open === 0, { what: 'the aborted connection to close' });
  for await (const _ of readLines(url, { schema, signal: new AbortController().signal })) break;
  await until(async () => open === 0, { what: 'the abandoned connection to close' });
});
