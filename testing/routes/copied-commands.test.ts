/** The command that a dialog copies sends the request that the dialog would send. */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runRedrive } from '@/cli/run-redrive';
import { EXIT } from '@/cli/terminal/exit-codes';
import { fixtureTerminal } from '@/cli/terminal/fixture-terminal';
import { changeRow, NO_PATCH } from '@/components/operations/wizard/patch-draft';
import {
  createDraft,
  readConfirm,
  readExecutionSettings,
  readScope,
  type WizardDraft,
} from '@/components/operations/wizard/wizard-draft';
import type { ApiWrite } from '@/lib/browser/api/query-defaults';
import { redriveText } from '@/lib/browser/api/redrive-text';
import { startCommand } from '@/lib/browser/api/start-command';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import { operationRequestSchema, previewRequestSchema } from '@/lib/contract/operations/operation-request';

interface Sent {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly key: unknown;
  readonly body: unknown;
}

const PREVIEW: Preview = {
  token: 'p-1',
  expiresAt: 0,
  at: 0,
  cutoff: 0,
  kind: 'redrive',
  scope: { state: 'dead', q: '' },
  count: 200,
  exact: true,
  sampled: null,
  inspected: null,
  ageSampled: null,
  breakdown: { queue: [], type: [], code: [], class: [], age: [], tenant: [] },
  samples: [],
  skips: {},
  blocked: [],
  unsupported: [],
  advice: [],
  typedCount: null,
  deletes: null,
  needsApproval: false,
};
const requests: Sent[] = [];
const server = createServer(async (request, response) => {
  let text = '';
  for await (const part of request) text += part;
  const { method, url: path, headers } = request;
  requests.push({ method, path, key: headers['idempotency-key'], body: JSON.parse(text) });
  if (path === '/api/v1/operations/preview')
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(PREVIEW));
  else response.writeHead(500).end();
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

/** Runs a line as a shell reads it. Its change gets no answer. */
async function runCopied(line: string, ...more: readonly string[]): Promise<void> {
  const words = execFileSync('bash', ['-c', `redrive() { printf '%s\\0' "$@"; }; ${line}`])
    .toString()
    .split('\0')
    .slice(0, -1);
  const { port } = server.address() as AddressInfo;
  const terminal = fixtureTerminal({ REDRIVE_URL: `http://127.0.0.1:${port}` }, 'yes');
  requests.length = 0;
  expect(await runRedrive([...more, ...words], terminal), terminal.output()).toBe(EXIT.unreachable);
}

test.each(WRITES.map((one) => [`${one.method} ${one.path}`, one] as const))('%s', async (_, wanted) => {
  const text = redriveText(wanted, { idempotencyKey: 'key-1' });
  await runCopied(text);
  expect(requests).toEqual([
    { ...wanted, key: 'key-1', body: expect.objectContaining(wanted.body as object) },
  ]);
});

const draft = (kind: WizardDraft['kind'], values: Partial<WizardDraft>): WizardDraft => ({
  ...createDraft(kind, null),
  reason: HOSTILE,
  ...values,
});
const JOBS = [
  { queue: 'mail', jobId: 'a.b' },
  { queue: 'sms', jobId: 'c' },
];
const DRAFTS: readonly WizardDraft[] = [
  draft('redrive', { q: '-type:a "x y"', queue: 'mail', includeUnsafe: true }),
  draft('redrive', {
    canaryJobs: '7',
    canaryPercent: '7',
    canaryWait: '36m',
    stopPercent: '2.5',
    stopWindow: '90s',
  }),
  draft('redrive', { jobs: JOBS, canaryOn: false, stopOn: false }),
  draft('promote', { state: 'scheduled', q: 'type:a', rate: { mode: 'rate', rate: '90/min', below: '' } }),
  draft('move', { target: 'other', rate: { mode: 'drain', rate: '', below: '1,000' } }),
  draft('edit', { patch: changeRow(NO_PATCH, 0, { path: 'a', value: `"it's"` }) }),
  draft('reschedule', { state: 'scheduled', due: '2026-01-01T10:00' }),
  draft('export', { format: 'csv', maxRows: '5,000' }),
  draft('purge', { state: 'suppressed' }),
  draft('delete-queue', { queue: 'mail', typed: 'mail' }),
];
/** With what the API takes for what is left out. */
const startOf = (body: unknown) => ({
  rate: { perSecond: null, keepReadyBelow: null },
  canary: null,
  stop: null,
  ...operationRequestSchema.parse(body),
});

test.each(DRAFTS.map((one) => [one.kind, one] as const))('the wizard: %s', async (_, wanted) => {
  const { request, problems } = readScope(wanted);
  expect(problems).toEqual({});
  const { settings } = readExecutionSettings(wanted, PREVIEW);
  const confirmed = settings && readConfirm(wanted, PREVIEW, settings);
  if (!request || !confirmed) throw new Error('The draft is not complete.');
  await runCopied(startCommand(request, confirmed), '--yes');
  expect(requests.map(({ path }) => path)).toEqual(['/api/v1/operations/preview', '/api/v1/operations']);
  expect(previewRequestSchema.parse(requests[0]?.body)).toEqual(previewRequestSchema.parse(request));
  expect(startOf(requests[1]?.body)).toEqual(startOf(confirmed));
  // What works once is not copied.
  expect(startCommand(request, confirmed)).not.toMatch(/p-1|idempotency/);
});
