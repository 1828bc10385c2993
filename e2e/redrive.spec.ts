/** T4: put the dead back after the fix: preview, canary, pace, and watch; and a bad fix is stopped by its canary. */
import { type APIRequestContext, expect, test } from '@playwright/test';
import { dead, job, labHeard, QUIET, queueOf, setLab } from './api-requests';
import { countHands } from './count-hands';
import { card, confirm, toConfirm, wizard } from './wizard-steps';

const RUN = Date.now().toString(36);
let releases = 0;

/** A bad release kills every mail of a tenant of its own; returns the query that finds them. */
async function badRelease(request: APIRequestContext, count: number): Promise<{ tenant: string; q: string }> {
  const tenant = `release-${RUN}-${++releases}`;
  await setLab(request, { ...QUIET, brokenKinds: ['email.send'] });
  await labHeard(request);
  const jobs = Array.from({ length: count }, (_, i) => ({
    jobType: 'email.send',
    tenantId: tenant,
    payload: { to: `person${i}@acme.example`, template: 'welcome', locale: 'en' },
  }));
  expect((await request.post('/api/v1/queues/default/jobs', { data: { jobs } })).status()).toBe(201);
  const q = `tenant:${tenant} code:HANDLER_BUG`;
  await expect.poll(async () => (await dead(request, q)).matching.count, { timeout: 60_000 }).toBe(count);
  return { tenant, q };
}

const fixed = async (request: APIRequestContext) => {
  await setLab(request, QUIET);
  await labHeard(request);
};

test('T4: from a failure group to a running re-drive in four clicks; its canary passes and all complete', {
  tag: '@smoke',
}, async ({ page, request }) => {
  const { tenant, q } = await badRelease(request, 130);
  await fixed(request);
  const [one] = (await dead(request, q, 1)).jobs;
  if (!one) throw new Error('no dead job');

  const hands = await countHands(page, 'T4, from a failure group to a running re-drive');
  await page.goto(`/dead?q=${encodeURIComponent(q)}`);
  const group = page.getByRole('row', { name: /HANDLER_BUG/ });
  await expect(group).toContainText('130');
  await group.getByRole('button', { name: 'Re-drive…' }).click();
  await expect(wizard(page)).toContainText('130 dead letters match');
  await expect(wizard(page)).toContainText('Safe to run again once the cause is fixed');
  await toConfirm(page);
  await expect(wizard(page)).toContainText('Canary: 20 jobs first');
  await expect(wizard(page)).toContainText(
    '130 dead letters: each becomes ready again with its attempts reset',
  );
  await confirm(page, `Fixed release for ${tenant}`);
  await expect(wizard(page)).toBeHidden();
  await expect(card(page, `Fixed release for ${tenant}`)).toBeVisible();
  expect((await hands()).clicks).toBeLessThanOrEqual(4);

  // It follows to another page, and goes on by itself once the canary has ended well.
  await page.getByRole('link', { name: 'Workers' }).first().click();
  await expect(card(page, `Fixed release for ${tenant}`)).toContainText('130 done', { timeout: 60_000 });
  // All of it is a link, not only its title.
  await card(page, `Fixed release for ${tenant}`).click();
  await expect(page.getByRole('row', { name: /^Completed/ })).toContainText('130', { timeout: 60_000 });
  await expect(page.getByText('Canary passed')).toBeVisible();
  await expect(page.getByText('all jobs ended')).toBeVisible();
  expect((await dead(request, q)).matching.count).toBe(0);

  expect((await job(request, one.queue, one.jobId)).state).toBe('completed');
  await page.goto(`/queues/${one.queue}/jobs/${one.jobId}`);
  await expect(page.getByText(`Fixed release for ${tenant}`)).toBeVisible();
  expect((await queueOf(request, 'default')).ledger.difference).toBe(0);
});

test('T4: by keyboard alone, from the overview to a running re-drive', async ({ page, request }) => {
  const { tenant, q } = await badRelease(request, 12);
  await fixed(request);
  const reason = `Typed fix for ${tenant}`;
  const hands = await countHands(page, 'T4, by keyboard from the overview');
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'default', exact: true }).first()).toBeVisible();
  // The page shows its queues before its script hears keys.
  await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page.getByRole('heading', { name: 'Dead letters', level: 1 })).toBeVisible();
  const query = page.getByRole('combobox', { name: 'Query' });
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(query).toBeFocused({ timeout: 2_000 });
  }).toPass();
  await page.keyboard.type(q);
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 failure group', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('r');
  await expect(wizard(page)).toContainText('12 dead letters match');
  for (const step of ['Preview', 'Rate']) {
    await expect(wizard(page).getByRole('heading', { name: new RegExp(`: ${step}$`) })).toBeAttached();
    await page.keyboard.press('Control+Enter');
  }
  await expect(wizard(page).getByLabel('Reason')).toBeFocused();
  await page.keyboard.type(reason);
  await page.keyboard.press('Enter');
  await expect(wizard(page)).toBeHidden();
  await expect.poll(async () => (await dead(request, q)).matching.count, { timeout: 60_000 }).toBe(0);
  expect((await hands()).clicks).toBe(0);
});

test('a canary stops a bad re-drive: the handlers of one type still fail, twenty pay for it, the rest stays dead', async ({
  page,
  request,
}) => {
  const { tenant, q } = await badRelease(request, 150);
  // Nobody has fixed anything. Other types run well meanwhile.
  await page.goto(`/dead?q=${encodeURIComponent(q)}`);
  await page
    .getByRole('row', { name: /HANDLER_BUG/ })
    .getByRole('button', { name: 'Re-drive…' })
    .click();
  await toConfirm(page);
  await confirm(page, `Too early for ${tenant}`);
  const follow = card(page, `Too early for ${tenant}`);
  await expect(follow).toContainText('Stopped by its canary', { timeout: 60_000 });
  await expect(follow.locator('[data-result=bad]')).toBeVisible();
  await expect(follow).toContainText('The canary failed');
  await expect(follow).toContainText('20 of 150');
  // The longest status does not push the buttons out of the card.
  expect(await follow.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await follow.getByRole('link', { name: 'Re-drive' }).click();
  await expect(page.getByRole('alert').getByText('Paused by Canary')).toBeVisible();
  await expect(page.getByRole('row', { name: /^Died again/ })).toContainText('20');

  // Which ones died again is a click away, and each is dead once more: none was sent twice.
  await expect(page.getByRole('link', { name: /^Died again 20/ })).toBeVisible();
  const groups = page.locator('h3', { hasText: 'Failure groups of jobs that died again' }).locator('+ ul');
  // By what failed, and not by a hash.
  await expect(groups.getByRole('link').first()).toHaveText(/[a-z]{3,} [a-z]/i);
  await page.getByRole('link', { name: 'Open in dead letters' }).click();
  await expect(page.getByRole('heading', { name: 'Dead letters' })).toBeVisible();
  const again = new URL(page.url()).searchParams.get('q') ?? '';
  expect(again).toMatch(/^operation:op-/);
  expect((await dead(request, again)).matching.count).toBe(20);
  expect((await dead(request, q)).matching.count).toBe(150);

  // After the fix it is resumed from its card, sends another canary, and finishes the other 130.
  await fixed(request);
  await follow.getByRole('button', { name: 'Resume' }).click();
  // Going on after jobs died again is asked first, and another canary is proposed.
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(question).toContainText('Resume: re-drive the other 130 jobs?');
  await expect(question).toContainText('20 of 20 died again');
  await expect(question.getByRole('switch', { name: 'Another canary of 20 jobs first' })).toBeChecked();
  await question.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(async () => (await dead(request, q)).matching.count, { timeout: 60_000 }).toBe(20);
  expect((await queueOf(request, 'default')).ledger.difference).toBe(0);
});

test('one job is purged and comes back from the trash', async ({ page, request }) => {
  const { q } = await badRelease(request, 3);
  await fixed(request);
  await page.goto(`/dead?view=rows&q=${encodeURIComponent(q)}`);
  await page
    .getByRole('checkbox', { name: /^Select job/ })
    .first()
    .click();
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Purge…' }).click();
  await toConfirm(page);
  await expect(wizard(page)).toContainText('It can be restored until the retention of the trash ends');
  await confirm(page, 'Test data');
  await expect(wizard(page)).toBeHidden();
  await expect.poll(async () => (await dead(request, q)).matching.count).toBe(2);
  await page.goto('/queues/default?state=trashed');
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Restore/ })
    .click();
  await expect(page.getByText('Dead').first()).toBeVisible();
  await expect.poll(async () => (await dead(request, q)).matching.count).toBe(3);
});
