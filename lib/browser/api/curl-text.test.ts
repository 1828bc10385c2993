import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { curlText } from './curl-text';

const ORIGIN = { origin: 'http://console:3000', idempotencyKey: 'k-1' };
/** The words that a real shell makes of the command. */
const wordsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\0'")], {
    encoding: 'utf8',
    env: { ...process.env, REDRIVE_TOKEN: 'rdt_secret' },
  })
    .split('\0')
    .slice(0, -1);

it('is the request of the dialog: method, address, headers and body', () => {
  const command = curlText({ method: 'POST', path: '/api/v1/queues/a/pause', body: { reason: 'x' } }, ORIGIN);
  expect(wordsOf(command)).toEqual([
    ...['-sS', '-X', 'POST', 'http://console:3000/api/v1/queues/a/pause'],
    ...['-H', 'authorization: Bearer rdt_secret', '-H', 'content-type: application/json'],
    ...['-H', 'idempotency-key: k-1', '--data-raw', '{"reason":"x"}'],
  ]);
});

it('carries any text through a shell unchanged', () => {
  const reason = `it's $(rm -rf /) \`id\` "x" \\ !\n#&; 'a' ü`;
  const words = wordsOf(curlText({ method: 'PATCH', path: "/a'b", body: { reason } }, ORIGIN));
  expect(JSON.parse(words.at(-1) ?? '')).toEqual({ reason });
  expect(words[3]).toBe("http://console:3000/a'b");
});

it('sends an empty object where a request has no body, as the browser does', () => {
  expect(wordsOf(curlText({ method: 'POST', path: '/x' }, ORIGIN)).at(-1)).toBe('{}');
});
