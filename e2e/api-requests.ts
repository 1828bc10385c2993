/** The console's HTTP API for the browser tests: to set the scene, and to check in Redis's own words what a page claims. */
import { type APIRequestContext, expect } from '@playwright/test';
import type { z } from 'zod';
import { type Operation, operationSchema } from '@/lib/contract/operations/operation';
import { previewSchema } from '@/lib/contract/operations/operation-preview';
import type { OperationRequest, previewRequestSchema } from '@/lib/contract/operations/operation-request';
import { jobDetailSchema } from '../lib/contract/jobs/job-schemas';
import { type LabSettings, labStateSchema } from '../lib/contract/lab/lab-schemas';
import {
  type Overview,
  overviewSchema,
  type QueueSnapshot,
  queueNumbersSchema,
} from '../lib/contract/queues/queue-schemas';
import { searchPageSchema } from '../lib/contract/search/search-schemas';

export const QUIET: Partial<LabSettings> = {
  workers: 2,
  concurrency: 3,
  runTimeMs: 60,
  failPercent: 0,
  hangPercent: 0,
  brokenKinds: [],
  crashPercent: 0,
  trafficPerSecond: 0,
  delayedPercent: 0,
};

/** Asked again, as browsers do, where the server has just closed the connection for its idleness. */
export const get = (
  request: APIRequestContext,
  path: string,
  options: Parameters<APIRequestContext['get']>[1] = {},
) => request.get(path, { ...options, maxRetries: 2 });

export async function labSettings(request: APIRequestContext): Promise<LabSettings> {
  return labStateSchema.parse(await (await get(request, '/api/v1/lab')).json()).settings;
}

/** Changes the lab's settings; what is not named stays. */
export async function setLab(request: APIRequestContext, change: Partial<LabSettings>): Promise<void> {
  const settings = await labSettings(request);
  const answer = await request.put('/api/v1/lab', { data: { ...settings, ...change } });
  expect(answer.status()).toBe(200);
}

/** Until the workers must have heard of the lab's settings: their supervisor looks each second, and reports as often. */
export async function labHeard(request: APIRequestContext): Promise<void> {
  const state = async () => labStateSchema.parse(await (await get(request, '/api/v1/lab')).json());
  const { at } = await state();
  await expect
    .poll(async () => (await state()).supervisor?.seenAt ?? 0, { timeout: 30_000 })
    .toBeGreaterThan(at + 3_000);
}

export async function overview(request: APIRequestContext): Promise<Overview> {
  return overviewSchema.parse(await (await get(request, '/api/v1/queues?limit=500')).json());
}

/** Every number of each queue of the overview. */
export async function snapshots(request: APIRequestContext): Promise<QueueSnapshot[]> {
  const { queues } = await overview(request);
  return Promise.all(queues.map(async ({ queue }) => snapshotOf(request, queue)));
}

async function snapshotOf(request: APIRequestContext, name: string): Promise<QueueSnapshot> {
  return queueNumbersSchema.parse(await (await get(request, `/api/v1/queues/${name}`)).json()).queue;
}

/** Waits for it: the overview is up to a second behind. */
export async function queueOf(request: APIRequestContext, name: string): Promise<QueueSnapshot> {
  let found: QueueSnapshot | undefined;
  await expect
    .poll(async () => {
      const isListed = (await overview(request)).queues.some(({ queue }) => queue === name);
      found = isListed ? await snapshotOf(request, name) : undefined;
      return found?.queue;
    })
    .toBe(name);
  if (!found) throw new Error(`no queue ${name}`);
  return found;
}

/** The newest dead letters that match a query. */
export async function dead(request: APIRequestContext, q = '', limit = 50) {
  const params = { q, limit };
  return searchPageSchema.parse(await (await get(request, '/api/v1/dead', { params })).json());
}

/** Previews and confirms an operation, as the wizard does. */
export async function startOperation(
  request: APIRequestContext,
  action: z.input<typeof previewRequestSchema>,
  confirmation: Partial<OperationRequest> = {},
): Promise<Operation> {
  const previewed = await request.post('/api/v1/operations/preview', { data: action });
  const preview = previewSchema.parse(await previewed.json());
  const started = await request.post('/api/v1/operations', {
    data: {
      previewToken: preview.token,
      reason: 'e2e',
      ...(preview.typedCount === null ? {} : { typedCount: preview.typedCount }),
      ...confirmation,
    },
  });
  return operationSchema.parse(await started.json());
}

export async function job(request: APIRequestContext, queue: string, id: string) {
  return jobDetailSchema.parse(await (await get(request, `/api/v1/queues/${queue}/jobs/${id}`)).json());
}

/** Jobs the demo's handlers know and complete. */
export async function enqueueMails(
  request: APIRequestContext,
  count: number,
  maxAttempts = 8,
): Promise<void> {
  const jobs = Array.from({ length: count }, (_, i) => ({
    jobType: 'email.send',
    tenantId: 'acme',
    maxAttempts,
    payload: { to: `person${i}@acme.example`, template: 'welcome', locale: 'en' },
  }));
  const answer = await request.post('/api/v1/queues/default/jobs', { data: { jobs } });
  expect(answer.status()).toBe(201);
}
