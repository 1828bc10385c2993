import { expect, test } from 'vitest';
import { isLoopbackHost, readEnv } from './env';

test('defaults are safe', () => {
  expect(readEnv({ REDIS_URL: 'redis://127.0.0.1:6379' })).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 3000,
    REDRIVE_PREFIX: 'rd',
    REDRIVE_LAB: 'off',
    REDRIVE_ALLOW_EVICTION: 'no',
  });
});
test('every problem is named at once, with the way to mend it', () => {
  const problems = () => readEnv({ HOST: '0.0.0.0', PORT: 'x', REDRIVE_PREFIX: 'a:b', REDRIVE_LAB: 'maybe' });
  for (const name of [
    'REDIS_URL is missing',
    'HOST must be a loopback',
    'PORT must be',
    'REDRIVE_PREFIX must start',
    'REDRIVE_LAB must be on or off',
  ])
    expect(problems).toThrow(name);
});
test('an empty variable is one that was not set', () => {
  expect(readEnv({ REDIS_URL: '/tmp/redis.sock', PORT: '' }).PORT).toBe(3000);
});
test.each(['127.0.0.1', '127.9.9.9', 'localhost', '::1', '[::1]'])('%s is this machine', (host) =>
  expect(isLoopbackHost(host)).toBe(true),
);
test.each(['0.0.0.0', '10.0.0.1', 'localhost.evil.example', '127.0.0.1.evil.example', '', '1127.0.0.1'])(
  '%j is not',
  (host) => expect(isLoopbackHost(host)).toBe(false),
);
