/** Hidden values in the browser: nobody is sent them, and who may look does so with a reason, on record. */
import { expect, test } from '@playwright/test';
import { paths } from '../lib/contract/api-paths';
import { ANN, stateOf, VERA } from './user-pages';

const SECRET = 'nine-copper-kettles';
const QUEUE = 'vault';
const JOB = `secret-${Date.now()}`;
const pageOf = `/queues/${QUEUE}/jobs/${JOB}`;

test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({
    baseURL,
    storageState: stateOf(ANN),
  });
  const payload = { to: 'person@acme.example', password: SECRET };
  const answer = await request.post(paths.jobs(QUEUE), {
    data: { jobs: [{ jobId: JOB, jobType: 'vault.open', tenantId: 'acme', payload }] },
  });
  expect(answer.status()).toBe(201);
  await request.dispose();
});

test('a hidden value is shown with a reason, until it is hidden again, and that is on record', async ({
  page,
}) => {
  const sent: string[] = [];
  page.on('response', async (response) => {
    if (!response.url().endsWith('/unmask')) sent.push(await response.text().catch(() => ''));
  });
  await page.goto(pageOf);
  await expect(page.getByText('1 value hidden')).toBeVisible();
  await expect(page.locator('body')).not.toContainText(SECRET);
  await page.getByRole('button', { name: 'Show hidden values…' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Show hidden values of this job?' });
  await expect(dialog.getByRole('button', { name: 'Show values' })).toBeDisabled();
  const reason = `e2e: a look at ${JOB}`;
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await dialog.getByRole('button', { name: 'Show values' }).click();
  await expect(page.getByText('Hidden values shown')).toBeVisible();
  await expect(page.locator('body')).toContainText(SECRET);
  await page.getByRole('button', { name: 'Hide again' }).click();
  await expect(page.locator('body')).not.toContainText(SECRET);
  // Only the answer to the look itself had it; what told of the job besides was seen here.
  await expect.poll(() => sent.join('\n')).toContain('person@acme.example');
  expect(sent.join('\n')).not.toContain(SECRET);

  await page.goto(`/audit?queue=${QUEUE}`);
  const entry = page.getByRole('row').filter({ hasText: reason });
  await expect(entry).toContainText('ann');
  await expect(page.locator('body')).not.toContainText(SECRET);
});

test('who may not look is not offered to', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL, storageState: stateOf(VERA) });
  const page = await context.newPage();
  await page.goto(pageOf);
  await expect(page.getByText('1 value hidden')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show hidden values…' })).toHaveCount(0);
  await expect(page.locator('body')).not.toContainText(SECRET);
  const looked = await context.request.post(paths.unmask(QUEUE, JOB), { data: { reason: 'e2e: not hers' } });
  expect(looked.status()).toBe(403);
  expect(await looked.text()).not.toContain(SECRET);
  await context.close();
});
