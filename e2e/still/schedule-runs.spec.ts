/** What became of a schedule's fire times is where the schedule is, and a change forgets none of it. */
import { expect, test } from '@playwright/test';
import { scheduleDetailSchema } from '../../lib/contract/schedules/schedule-schemas';
import { get } from '../api-requests';

test('skipped fire times are counted in the list, and the runs of before a change stay', async ({
  page,
  request,
}) => {
  const id = `runs-${Date.now().toString(36)}`;
  // No worker takes these jobs: the first one is never done, and the others are skipped.
  const made = await request.post('/api/v1/schedules', {
    data: { id, queue: id, timing: { everyMs: 1_000 }, job: { jobType: 'nobody' }, overlap: 'skip' },
  });
  expect(made.status()).toBe(201);
  const detail = async () =>
    scheduleDetailSchema.parse(await (await get(request, `/api/v1/schedules/${id}`)).json());
  await expect.poll(async () => (await detail()).skipped, { timeout: 60_000 }).toBeGreaterThan(1);
  await request.post(`/api/v1/schedules/${id}/pause`, { data: { reason: 'Enough seen' } });
  const { skipped, runs } = await detail();
  expect(runs.map(({ outcome }) => outcome)).toEqual(['waiting', 'skipped']);
  await request.patch(`/api/v1/schedules/${id}`, { data: { timing: { everyMs: 7_000 } } });
  expect((await detail()).runs).toEqual(runs);

  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.goto(`/schedules?q=${id}`);
  const row = page.getByRole('row').filter({ hasText: id });
  const heads = page.getByRole('columnheader');
  await expect(heads.filter({ hasText: 'Skipped' })).toBeVisible();
  await expect(heads.filter({ hasText: 'Enqueued' })).toBeVisible();
  await expect(row.getByRole('cell', { name: String(skipped), exact: true })).toBeVisible();
  await row.getByRole('button', { name: id, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Runs of ${id}` });
  await expect(dialog).toContainText(`${skipped} in a row skipped`);
  await expect(dialog).toContainText(`${skipped} fire times`);
  await page.reload();
  await expect(dialog).toBeVisible();
  await dialog.getByRole('link').first().click();
  await expect(page).toHaveURL(new RegExp(`/queues/${id}/jobs/`));
  await request.delete(`/api/v1/schedules/${id}`, { data: {} });
});
