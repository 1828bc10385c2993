/** Scans of others leave gaps for a small request as long as it is under way, from its admission on. */
import { expect, it } from 'vitest';
import { smallRequests } from '@/lib/process/read-share';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callRoute } from '@/testing/worlds/route-caller';

const world = await setUpConsole();
const QUEUE = 'payments';

/** @returns how many small requests were under way when the console read the body, before it could know what is asked for */
async function whileAdmitting(path: string, body: unknown): Promise<number> {
  let seen = Number.NaN;
  const stream = new ReadableStream(
    {
      pull(controller) {
        seen = smallRequests();
        controller.enqueue(new TextEncoder().encode(JSON.stringify(body)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { host: '127.0.0.1:3000', 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: stream, duplex: 'half' };
  const response = await callRoute(new Request(`http://127.0.0.1:3000${path}`, init), JSON.stringify(body));
  expect(response.status).toBe(200);
  return seen;
}

it('counts a pause before it is carried out, and no longer than it takes', async () => {
  await world.broker.enqueue(QUEUE, { jobId: 'job', jobType: 'a' });
  const pause = { reason: 'measured', forMs: 600_000 };
  expect(await whileAdmitting(`/api/v1/queues/${QUEUE}/pause`, pause)).toBe(1);
  expect(smallRequests()).toBe(0);
});

it('does not count a claim, which may wait for jobs for a long time', async () => {
  const claim = { worker: 'w', leaseMs: 30_000 };
  expect(await whileAdmitting(`/api/v1/queues/${QUEUE}/claim`, claim)).toBe(0);
});
