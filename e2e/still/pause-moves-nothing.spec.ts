/** A pause that comes or ends moves nothing that stands under the pointer. */
import { expect, type Page, test } from '@playwright/test';
import { openBroker } from '../dead-jobs';
import { LOOKS } from '../weight/layout-shifts';

/** Of what stands between the top of the page and its end: the title, and the first panels. */
const placesOf = (page: Page) =>
  page.evaluate(() => {
    const seen = document.querySelectorAll('main h1, main section, main tbody tr:first-child');
    const tops = [...seen].map((element) => Math.round(element.getBoundingClientRect().top));
    // What is below the window may still arrive.
    return tops.filter((top) => top < window.innerHeight / 2);
  });
const bar = (page: Page) => page.getByRole('region', { name: 'Pauses' });

test('pausing and resuming leave every part of the page where it was', async ({ page, request }) => {
  const queue = `still-${Date.now().toString(36)}`;
  const broker = openBroker();
  await broker.enqueueMany(
    queue,
    Array.from({ length: 6 }, (_, n) => ({ jobType: 'mail', tenantId: `tenant-${n}`, payload: '{}' })),
  );
  expect((await request.get(`/api/v1/queues/${queue}`)).status()).toBe(200);
  for (const viewport of LOOKS) {
    await page.setViewportSize(viewport);
    for (const path of [`/queues/${queue}`, '/workers', '/dead']) {
      await page.goto(path);
      await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
      await expect(page.locator('main [data-slot=skeleton]').filter({ visible: true })).toHaveCount(0);
      // Parts of the page arrive one after the other.
      let before: number[] = [];
      await expect
        .poll(
          async () => {
            const last = JSON.stringify(before);
            before = await placesOf(page);
            return JSON.stringify(before) === last;
          },
          { intervals: [1_500] },
        )
        .toBe(true);
      for (const scope of ['queue', 'tenant:tenant-1'] as const) {
        await broker.pause(queue, { scope, reason: `Seen at ${viewport.width}` }, { actor: 'ann' });
        await expect(bar(page)).toContainText(
          scope === 'queue' || viewport.width > 400 ? `Seen at ${viewport.width}` : '1 more',
        );
      }
      expect(await placesOf(page), `${path} at ${viewport.width} px, paused`).toEqual(before);
      for (const scope of ['queue', 'tenant:tenant-1'] as const)
        await broker.resume(queue, scope, { actor: 'ann' });
      await expect(bar(page)).toBeHidden();
      expect(await placesOf(page), `${path} at ${viewport.width} px, resumed`).toEqual(before);
    }
  }
  broker.close();
});

test('under the pointer the Resume of another pause does not take the place of one that was pressed', async ({
  page,
}) => {
  const queue = `rows-${Date.now().toString(36)}`;
  const broker = openBroker();
  await broker.enqueue(queue, { jobType: 'mail' });
  const scopes = ['queue', 'tenant:acme', 'type:mail'] as const;
  for (const scope of scopes) await broker.pause(queue, { scope, reason: 'Three at once' }, { actor: 'ann' });
  await page.goto(`/queues/${queue}`);
  const buttons = bar(page).getByRole('button', { name: /^Resume/ });
  await expect(buttons).toHaveCount(3);
  const second = await buttons.nth(1).boundingBox();
  await buttons.first().click();
  await expect(buttons).toHaveCount(2);
  await expect(bar(page)).toContainText('resumed');
  expect((await buttons.first().boundingBox())?.y).toBe(second?.y);
  // The notice can put it back.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(buttons).toHaveCount(3);
  for (const scope of scopes) await broker.resume(queue, scope, { actor: 'ann' });
  broker.close();
});
