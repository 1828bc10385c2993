import { expect, it } from 'vitest';
import { checksInterval } from './use-redis-checks';

it('stops asking when the user may not see the checks, or the console is away', () => {
  expect(checksInterval(false, null)).toBe(10_000);
  expect(checksInterval(false, { status: 503 })).toBe(10_000);
  expect(checksInterval(false, { status: 403 })).toBe(false);
  expect(checksInterval(true, null)).toBe(false);
});
