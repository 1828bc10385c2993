/** "Copy link" in dialogs that change something: the link opens the dialog as it was filled in, and no server hears what was. */
import { expect, type Locator, type Page, test } from '@playwright/test';
import { enqueueMails, QUIET, setLab } from '../api-requests';
import { die, GATEWAY, openBroker } from '../dead-jobs';
import { toConfirm } from '../wizard-steps';

const RUN = Date.now().toString(36);
const QUEUE = `links-${RUN}`;
const REASON = `Because of 50 % & more (${RUN})`;

interface Case {
  readonly name: string;
  readonly path: string;
  /** Opens and fills the dialog. */
  open(page: Page): Promise<unknown>;
  /** What stands in the reopened dialog. */
  check(dialog: Locator): Promise<unknown>;
}

const dialogOf = (page: Page) => page.locator('[role=dialog], [role=alertdialog]');
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const fill = (page: Page, label: string | RegExp, text: string) =>
  dialogOf(page).getByLabel(label).first().fill(text);
const value = (dialog: Locator, label: string | RegExp, text: string) =>
  expect(dialog.getByLabel(label).first()).toHaveValue(text);
const reasonStands = (dialog: Locator) => value(dialog, /^Reason/, REASON);
const more = async (page: Page, of: string, item: string) => {
  await press(page, `More actions for ${of}`);
  await page.getByRole('menuitem', { name: item }).click();
};

const CASES: readonly Case[] = [
  {
    name: 'a pause of a tenant',
    path: `/queues/${QUEUE}`,
    async open(page) {
      await press(page, 'Pause…');
      await dialogOf(page).getByRole('radio', { name: 'Tenant' }).click();
      await fill(page, 'Tenant id', 'acme');
      await fill(page, 'Reason', REASON);
    },
    async check(dialog) {
      await value(dialog, 'Tenant id', 'acme');
      await reasonStands(dialog);
    },
  },
  {
    name: 'draining',
    path: `/queues/${QUEUE}`,
    async open(page) {
      await press(page, 'Drain…');
      await fill(page, 'Reason', REASON);
    },
    check: reasonStands,
  },
  {
    name: 'a job to enqueue',
    path: `/queues/${QUEUE}`,
    async open(page) {
      await press(page, 'Enqueue a job');
      await fill(page, 'Job type', 'email.send');
      await fill(page, /^Payload/, '{"card":"4111"}');
    },
    async check(dialog) {
      await value(dialog, 'Job type', 'email.send');
      // Payloads are in no link.
      await value(dialog, /^Payload/, '{\n  \n}');
    },
  },
  {
    name: 'changed settings',
    path: `/queues/${QUEUE}/settings`,
    async open(page) {
      await page.getByLabel('Depth limit', { exact: true }).fill('4321');
      await press(page, 'Save…');
      await fill(page, 'Reason', REASON);
    },
    async check(dialog) {
      await expect(dialog).toContainText('4,321 jobs');
      await reasonStands(dialog);
    },
  },
  {
    name: 'another number of shards',
    path: `/queues/${QUEUE}/settings`,
    async open(page) {
      await page.getByLabel('Shards', { exact: true }).fill('3');
      await press(page, 'Change shards…');
    },
    check: (dialog) => expect(dialog).toContainText('→ 3'),
  },
  {
    name: 'a new schedule',
    path: '/schedules',
    async open(page) {
      await press(page, 'New schedule');
      await fill(page, 'Id', `nightly-${RUN}`);
      await fill(page, 'Cron expression', '15 3 * * *');
    },
    async check(dialog) {
      await value(dialog, 'Id', `nightly-${RUN}`);
      await value(dialog, 'Cron expression', '15 3 * * *');
    },
  },
  {
    name: 'a new token',
    path: '/access?tab=tokens',
    async open(page) {
      await press(page, 'New token');
      await fill(page, 'Name', `deploy ${RUN}`);
      await fill(page, 'Queues', 'email, sms-*');
    },
    async check(dialog) {
      await value(dialog, 'Name', `deploy ${RUN}`);
      await value(dialog, 'Queues', 'email, sms-*');
    },
  },
  {
    name: 'the roles of a user',
    path: '/access?tab=users',
    async open(page) {
      await press(page, 'Change the roles of vera');
      await fill(page, 'Queues', 'mail-*');
      await fill(page, 'Reason', REASON);
    },
    async check(dialog) {
      await expect(dialog).toContainText('vera');
      await value(dialog, 'Queues', 'mail-*');
      await reasonStands(dialog);
    },
  },
  {
    name: 'a user to disable',
    path: '/access?tab=users',
    async open(page) {
      await more(page, 'vera', 'Disable…');
      await fill(page, 'Reason', REASON);
    },
    async check(dialog) {
      await expect(dialog).toContainText('Disable vera?');
      await reasonStands(dialog);
    },
  },
  {
    name: 'a search to save',
    path: `/dead?q=queue%3A${QUEUE}`,
    async open(page) {
      await press(page, 'Saved searches');
      await page.getByRole('menuitem', { name: 'Save this search…' }).click();
      await fill(page, 'Name', `Ours ${RUN}`);
    },
    async check(dialog) {
      await expect(dialog).toContainText(`queue:${QUEUE}`);
      await value(dialog, 'Name', `Ours ${RUN}`);
    },
  },
  {
    name: 'the saved searches to delete',
    path: '/dead',
    async open(page) {
      const saved = await page.request.post('/api/v1/searches', {
        data: { name: `Old ${RUN}`, q: `queue:${QUEUE}` },
      });
      expect(saved.ok()).toBe(true);
      await page.reload();
      await press(page, 'Saved searches');
      await page.getByRole('menuitem', { name: 'Delete saved searches…' }).click();
    },
    async check(dialog) {
      await dialog.getByRole('button', { name: `Copy as curl: delete Old ${RUN}` }).click();
      const copied = await dialog.page().evaluate(() => navigator.clipboard.readText());
      expect(copied).toMatch(/^curl -sS -X DELETE '.*\/api\/v1\/searches\//);
    },
  },
  {
    name: "the user's own sessions",
    path: '/workers',
    async open(page) {
      await press(page, /^You are /);
      await page.getByRole('menuitem', { name: 'Sessions…' }).click();
    },
    check: (dialog) => expect(dialog).toContainText('Your sessions'),
  },
  {
    name: 'the name of a failure group',
    path: `/dead?q=queue%3A${QUEUE}`,
    async open(page) {
      await page.getByRole('row').nth(1).getByRole('button', { name: /^More/ }).click();
      await page.getByRole('menuitem', { name: /^Name and note/ }).click();
      await fill(page, 'Name', `Gateway ${RUN}`);
    },
    check: (dialog) => value(dialog, 'Name', `Gateway ${RUN}`),
  },
  {
    name: 'an operation about to start',
    path: `/dead?q=queue%3A${QUEUE}`,
    async open(page) {
      await page.getByRole('row').nth(1).getByRole('button', { name: 'Re-drive…' }).click();
      await toConfirm(page);
      await fill(page, 'Reason', REASON);
    },
    async check(dialog) {
      await expect(dialog).toContainText('Re-drive');
      await expect(dialog.getByText(/5 dead letters match/)).toBeVisible({ timeout: 30_000 });
      await toConfirm(dialog.page());
      await reasonStands(dialog);
    },
  },
];

test.beforeAll(async () => {
  const broker = openBroker();
  try {
    await die(broker, QUEUE, { ...GATEWAY, count: 5 });
  } finally {
    broker.close();
  }
});

for (const { name, path, open, check } of CASES)
  test(`the link of ${name} opens it as it was filled in`, async ({ page, context, request }) => {
    test.setTimeout(90_000);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await setLab(request, QUIET);
    await enqueueMails(request, 1);
    await page.goto(path);
    await open(page);
    await dialogOf(page).getByRole('button', { name: 'Copy link' }).click();
    await expect(dialogOf(page).getByRole('button', { name: 'Copied' })).toBeVisible();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(new URL(link).searchParams.get('dialog')).not.toBeNull();
    expect(link).not.toContain('4111');
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toBeHidden();
    await expect(page).not.toHaveURL(/dialog=/);

    const asked: string[] = [];
    page.on('request', (sent) => asked.push(sent.url()));
    await page.goto('/workers');
    await page.goto(link);
    await expect(dialogOf(page)).toBeVisible({ timeout: 20_000 });
    await check(dialogOf(page));
    // Requests have no fragment.
    expect(asked.filter((url) => decodeURIComponent(url).includes(`(${RUN})`) && !url.includes('#'))).toEqual(
      [],
    );
    // Closed, it is gone from the address with all that it held.
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toBeHidden();
    await expect.poll(() => page.url()).not.toMatch(/dialog=|#/);
  });

test('a link that somebody wrote by hand fills nothing that the dialog does not have', async ({ page }) => {
  const filled = encodeURIComponent(JSON.stringify({ reason: 7, kind: {}, typed: 'x', scope: [] }));
  await page.goto(`/queues/${QUEUE}?dialog=pause#pause=${filled}`);
  await expect(dialogOf(page)).toContainText(`Pause ${QUEUE}`);
  await value(dialogOf(page), 'Reason', '');
  await page.goto(`/workers?dialog=operation#operation=${filled}`);
  await expect.poll(() => page.url()).not.toMatch(/dialog=/);
  await expect(dialogOf(page)).toBeHidden();
});
