import { expect, it, vi } from 'vitest';
import { RedriveError } from '@/lib/contract/redrive-error';
import { problemResponse } from './problem-response';

vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:6379');
vi.stubEnv('LOG_LEVEL', 'silent');

const bodyOf = (error: unknown) => problemResponse(error, 'id-1').json() as Promise<Record<string, unknown>>;

it('does not say where Redis is, nor what nobody designed', async () => {
  const away = new RedriveError(
    'REDIS_UNAVAILABLE',
    'Redis cannot be reached: nothing listens at 10.0.0.5:6379.',
  );
  const crash = new Error('connect ECONNREFUSED redis://:secret@10.0.0.5:6379');
  for (const error of [away, crash]) {
    const body = await bodyOf(error);
    expect(JSON.stringify(body)).not.toMatch(/10\.0\.0\.5|secret|ECONNREFUSED/);
    expect(body.requestId).toBe('id-1');
  }
  expect((await bodyOf(away)).detail).toMatch(/^Redis cannot be reached\. Nothing was changed/);
});

it('says how long to wait, when that is known', () => {
  const limited = new RedriveError('RATE_LIMITED', 'Too many.', { retryAfterMs: 1_200 });
  expect(problemResponse(limited, 'id-1').headers.get('retry-after')).toBe('2');
  const busy = new RedriveError('TOO_MANY_STREAMS', 'Too many.');
  expect(problemResponse(busy, 'id-1').headers.get('retry-after')).toBe('30');
});
