/** The page that says whether this Redis is fit for jobs. */
import { expect, test } from '@playwright/test';
import { redisChecksSchema } from '../../lib/contract/redis/redis-check-schemas';
import { objections } from '../axe';

test('the checks are listed worst first, as the API has them, each with reason and fix', async ({
  page,
  request,
}) => {
  const { servers } = redisChecksSchema.parse(await (await request.get('/api/v1/redis')).json());
  await page.goto('/');
  await page.getByRole('link', { name: 'Redis', exact: true }).click();
  await expect(page).toHaveURL(/\/redis$/);
  const rows = page.getByRole('region', { name: 'Checks' }).getByRole('row');
  // The head is a row, too.
  await expect(rows).toHaveCount((servers[0]?.checks.length ?? 0) + 1);
  const verdicts = await rows.locator('td:first-child').allInnerTexts();
  const order = ['Problem', 'Warning', 'Unknown', 'OK'];
  expect(verdicts).toEqual([...verdicts].sort((a, b) => order.indexOf(a) - order.indexOf(b)));
  const eviction = rows.filter({ hasText: 'Eviction policy' });
  await expect(eviction).toContainText('noeviction');
  await expect(eviction).toContainText('deletes jobs to make room');
  expect(await objections(page)).toEqual([]);
});
