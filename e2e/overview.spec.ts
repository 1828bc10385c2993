/** T1: know within five seconds whether anything is wrong. */
import { expect, test } from '@playwright/test';
import { QUIET, setLab } from './api-requests';
import { die, GATEWAY, openBroker } from './dead-jobs';

test('T1: the overview opens on what is wrong, the worst queue first, with the age of its data', {
  tag: '@smoke',
}, async ({ page, request }) => {
  await setLab(request, QUIET);
  const queue = `overview-${Date.now()}`;
  const queues = page.getByRole('region', { name: 'Queues, worst first' }).getByRole('table');
  const verdict = page.getByRole('region', { name: 'Verdict' });
  const broker = openBroker();
  try {
    await die(broker, queue, { ...GATEWAY, count: 1 });
    await page.goto('/');
    await expect(queues).toContainText(queue, { timeout: 20_000 });
    await die(broker, queue, { ...GATEWAY, count: 60 });
  } finally {
    broker.close();
  }
  await expect(verdict).toContainText(queue, { timeout: 20_000 });
  await expect(verdict).not.toHaveAttribute('data-level', 'ok');

  await expect(queues.locator('tbody tr').first()).toContainText(queue);
  await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();

  // The finding leads to the dead letters it speaks of.
  await verdict.getByRole('link').filter({ hasText: queue }).first().click();
  await expect(page).toHaveURL(/\/dead\?q=/);
  await expect(page.getByRole('searchbox').or(page.getByRole('combobox')).first()).toHaveValue(
    `queue:${queue} age:<5m`,
  );
});
