/** B1: the page of a waiting job says what keeps it, and its breakdown adds up. */
import { expect, test } from '@playwright/test';
import { openBroker } from '../dead-jobs';

test('a ready job says why it does not run, and the breakdown where its held jobs are', async ({
  page,
  request,
}) => {
  const broker = openBroker();
  const queue = `waiting-${Date.now()}`;
  const by = { actor: 'ann' };
  try {
    for (const [i, tenantId] of ['acme', 'acme', 'globex'].entries())
      await broker.enqueue(queue, { jobId: `job-${i}`, jobType: 'mail.send', tenantId });
    await page.goto(`/queues/${queue}/jobs/job-1`);
    const state = page.locator('[data-wait]');
    await expect(state).toHaveText('No live worker serves the queue.');
    await expect(state).toHaveAttribute('data-wait', 'blocked');
    const paused = await request.post(`/api/v1/queues/${queue}/pause`, { data: { reason: 'refunds' } });
    expect(paused.ok()).toBe(true);
    await expect(state).toHaveText('The queue is paused by ann, “refunds”, until it is resumed.');
    await broker.resume(queue, 'queue', by);
    await broker.pause(queue, { scope: 'type:mail.send', reason: 'refunds' }, by);
    await broker.claim(queue, { worker: 'e2e' });
    await expect(state).toHaveText(/^Held by the pause of job type mail\.send: “refunds” \(ann\)\.$/);
    await page.goto(`/queues/${queue}`);
    const breakdown = page.getByRole('group', { name: 'Breakdown' });
    await expect(breakdown).toContainText('3 more are held by pauses of job types.');
    await breakdown.hover();
    await expect(breakdown).toContainText('auto-refresh paused');
  } finally {
    // A pause is shown on the pages of all other tests.
    await broker.resume(queue, 'type:mail.send', by);
    broker.close();
  }
});
