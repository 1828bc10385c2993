/** S9: numbers that a request carries are held to what was meant, wherever they stand: no page without end, no wait for ever. */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { log } from '@/lib/server/console-log';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';

const world = await setUpConsole();
beforeAll(async () => {
  await world.broker.enqueue('default', { jobType: 'a', jobId: 'waiting', payload: '{}' });
});

let crash: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  crash = vi.spyOn(log(), 'error');
  crash.mockClear();
});

const LISTS: readonly [path: string, param: string][] = [
  ['/api/v1/queues/default/jobs', 'limit'],
  ['/api/v1/queues/default/changes', 'limit'],
  ['/api/v1/dead', 'limit'],
  ['/api/v1/dead/stream', 'limit'],
  ['/api/v1/dead/stream', 'budget'],
  ['/api/v1/operations', 'limit'],
  ['/api/v1/operations/some/jobs', 'limit'],
  ['/api/v1/suggest?q=', 'caret'],
  ['/api/v1/audit', 'limit'],
  ['/api/v1/audit', 'from'],
];
const NEVER = [
  '-1',
  '1000000000000000000',
  'NaN',
  'Infinity',
  '1.5',
  'true',
  '1;2',
  '1e400',
  '9'.repeat(400),
];
/** Counted, so also: none, more than fit on a page, and two at once. */
const ODD_LISTS = ['0', '1000000000', '1e9', '', '%00'];

describe('in the address', () => {
  test.each(LISTS)('%s, %s', async (path, param) => {
    const join = path.includes('?') ? '&' : '?';
    const ask = (query: string) => callApi('GET', `${path}${join}${query}`);
    const values = param === 'limit' || param === 'budget' ? [...NEVER, ...ODD_LISTS] : NEVER;
    for (const query of [
      ...values.map((value) => `${param}=${value}`),
      `${param}=1&${param}=2`,
      `${param}[]=1`,
      `${param}[$gt]=1`,
    ]) {
      const { body } = await ask(query);
      expect(body, query).toMatchObject({ status: 400, code: 'VALIDATION' });
    }
    expect(crash).not.toHaveBeenCalled();
  });

  test('"1e3" is a thousand, which is more than a page holds', async () => {
    const { body } = await callApi('GET', '/api/v1/dead?limit=1e3');
    expect(body).toMatchObject({ status: 400, errors: [{ field: 'limit' }] });
  });
});

const BODIES: readonly [path: string, body: object, field: string][] = [
  ['/api/v1/queues/default/jobs', { jobType: 'a' }, 'priority'],
  ['/api/v1/queues/default/jobs', { jobType: 'a' }, 'delayMs'],
  ['/api/v1/queues/default/jobs', { jobType: 'a' }, 'maxAttempts'],
  ['/api/v1/queues/default/jobs', { jobType: 'a' }, 'timeoutMs'],
  ['/api/v1/queues/default/claim', { worker: 'w' }, 'count'],
  ['/api/v1/queues/default/claim', { worker: 'w' }, 'leaseMs'],
  ['/api/v1/queues/default/pause', { reason: 'x' }, 'forMs'],
  ['/api/v1/access/tokens', { name: 'x', grants: [{ role: 'viewer' }] }, 'expiresInDays'],
];

test.each(BODIES)('in a body: %s %o, %s', async (path, body, field) => {
  const before = await world.fingerprint();
  // A priority may be below zero.
  const tooLow = field === 'priority' ? -1e9 : -1;
  for (const value of [tooLow, 1e18, 1.5, '1e3', '5', [1], { $gt: 1 }, true]) {
    const answer = await callApi('POST', path, { body: { ...body, [field]: value } });
    expect(answer.body, JSON.stringify(value)).toMatchObject({ status: 400, code: 'VALIDATION' });
  }
  // What is no number in JSON never gets so far.
  for (const text of ['NaN', 'Infinity', '0x10', '01'])
    expect(
      (
        await callApi('POST', path, {
          raw: JSON.stringify({ ...body, [field]: 0 }).replace(/:0\}$/, `:${text}}`),
        })
      ).body,
      text,
    ).toMatchObject({ status: 400, code: 'BAD_JSON' });
  expect(await world.fingerprint()).toBe(before);
  expect(crash).not.toHaveBeenCalled();
});
