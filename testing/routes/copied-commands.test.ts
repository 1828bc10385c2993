/** The command that a dialog copies sends the request that the dialog would send. */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runRedrive } from '@/cli/run-redrive';
import { EXIT } from '@/cli/terminal/exit-codes';
import { fixtureTerminal } from '@/cli/terminal/fixture-terminal';
import type { ApiWrite } from '@/lib/browser/api/query-defaults';
import { redriveText } from '@/lib/browser/api/redrive-text';

interface Sent {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly key: unknown;
  readonly body: unknown;
}

const requests: Sent[] = [];
const server = createServer(async (request, response) => {
  let text = '';
  for await (const part of request) text += part;
  const { method, url: path, headers } = request;
  requests.push({ method, path, key: headers['idempotency-key'], body: JSON.parse(text) });
  response.writeHead(500).end();
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const HOSTILE = `it's "down" $(reboot) \`x\` --yes; -- \\ é`;

const write = (path: string, body: unknown, method: ApiWrite['method'] = 'POST'): ApiWrite => ({
  method,
  path,
  body,
});
const WRITES: readonly ApiWrite[] = [
  write('/api/v1/queues/mail/pause', { reason: HOSTILE, scope: 'tenant:acme', forMs: 5_400_000 }),
  write('/api/v1/queues/mail/resume', { scope: 'queue', reason: '-x' }),
  write('/api/v1/queues/mail/drain', { draining: true, reason: 'x' }),
  write('/api/v1/queues/mail/drain', { draining: false, reason: HOSTILE }),
  write('/api/v1/queues/mail/jobs/a.b/redrive', { reason: 'x' }),
  write('/api/v1/queues/mail/jobs/a/purge', {}),
  write('/api/v1/queues/mail/jobs', { jobType: 'a', payload: { text: HOSTILE } }),
  write('/api/v1/queues/mail/config', { depthLimit: null, reason: 'x' }, 'PATCH'),
  write('/api/v1/queues/mail/sharding', { count: 4, by: 'id' }, 'PUT'),
  write('/api/v1/operations', {
    previewToken: 'x',
    reason: HOSTILE,
    rate: { perSecond: 5, keepReadyBelow: null },
  }),
  write('/api/v1/operations/op-1/cancel', { reason: 'x' }),
  write('/api/v1/operations/op-1/undo', { reason: 'x' }),
  write('/api/v1/operations/op-1', { rate: { perSecond: 5, keepReadyBelow: null } }, 'PATCH'),
  write('/api/v1/workers/requests', { action: 'stop', workers: ['w-1', 'w.2'], reason: HOSTILE }),
  write('/api/v1/schedules/nightly/pause', { reason: 'x' }),
  write('/api/v1/schedules/nightly', { missed: 'skip' }, 'PATCH'),
  write('/api/v1/schedules/nightly', { reason: 'x' }, 'DELETE'),
  write('/api/v1/alerts/a-1/acknowledge', { note: HOSTILE }),
  write('/api/v1/alerts/silences', { code: 'DEEP', queue: 'mail', reason: HOSTILE, forMs: 3_600_000 }),
  write('/api/v1/alerts/silences', { queue: 'mail', reason: '-x', forMs: 61_500 }),
  write('/api/v1/alerts/silences/s-1', {}, 'DELETE'),
  write('/api/v1/alerts/channels/night/test', {}),
  write('/api/v1/dead/groups/0123456789ab', { status: 'resolved' }, 'PATCH'),
  write('/api/v1/searches', { name: HOSTILE, q: 'type:a' }),
  write('/api/v1/access/users/local%3Aann', { disabled: true, reason: 'x' }, 'PATCH'),
  write('/api/v1/access/tokens', { name: 'ci', grants: [{ role: 'viewer', queues: ['*'], tenants: null }] }),
];

test.each(WRITES.map((one) => [`${one.method} ${one.path}`, one] as const))('%s', async (_, wanted) => {
  const text = redriveText(wanted, { idempotencyKey: 'key-1' });
  // As a shell reads it.
  const words = execFileSync('bash', ['-c', `redrive() { printf '%s\\0' "$@"; }; ${text}`])
    .toString()
    .split('\0')
    .slice(0, -1);
  const { port } = server.address() as AddressInfo;
  const terminal = fixtureTerminal({ REDRIVE_URL: `http://127.0.0.1:${port}` }, 'yes');
  requests.length = 0;
  expect(await runRedrive(words, terminal), terminal.output()).toBe(EXIT.unreachable);
  expect(requests).toEqual([
    { ...wanted, key: 'key-1', body: expect.objectContaining(wanted.body as object) },
  ]);
});
