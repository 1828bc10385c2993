/** A reload of the tab loses no selection and no half-filled wizard; another visit begins anew. */
import { expect, test } from '@playwright/test';
import { dieInNewQueue, GATEWAY } from '../dead-jobs';

test('a selection of rows survives a reload, and ends with another visit', async ({ page }) => {
  const queue = await dieInNewQueue('kept', { ...GATEWAY, count: 4 });
  const path = `/dead?view=rows&q=queue:${queue}`;
  await page.goto(path);
  const boxes = page.getByRole('checkbox', { name: /^Select job/ });
  await expect(boxes).toHaveCount(4);
  await boxes.nth(0).click();
  await boxes.nth(2).click();
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.reload();
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Unselect' }).click();
  await page.reload();
  await expect(boxes).toHaveCount(4);
  await expect(page.getByText('2 selected')).toBeHidden();
  await boxes.nth(0).click();
  await page.goto('/workers');
  await page.goto(path);
  await expect(boxes).toHaveCount(4);
  await expect(page.getByText('1 selected')).toBeHidden();
});

test('a selection of failure groups and the wizard over it survive a reload', async ({ page }) => {
  const queue = await dieInNewQueue('wizard', { ...GATEWAY, count: 3 });
  await page.goto(`/dead?q=queue:${queue}`);
  await page
    .getByRole('checkbox', { name: /^Select group/ })
    .first()
    .click();
  await page.getByRole('region', { name: 'Failure groups' }).first().waitFor();
  await page.reload();
  await expect(page.getByText(/1 group selected/)).toBeVisible();
  await page.getByRole('button', { name: 'Re-drive…' }).first().click();
  const wizard = page.getByRole('dialog');
  await expect(wizard).toContainText('3 dead letters match');
  await wizard.getByRole('button', { name: 'Skip to confirm' }).click();
  await wizard.getByLabel('Reason').fill('Half of a sentence');
  await page.reload();
  await expect(wizard).toContainText('3 dead letters match');
  await wizard.getByRole('button', { name: 'Skip to confirm' }).click();
  await expect(wizard.getByLabel('Reason')).toHaveValue('Half of a sentence');
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('checkbox', { name: /^Select group/ }).first()).toBeVisible();
  await expect(wizard).toBeHidden();
});
