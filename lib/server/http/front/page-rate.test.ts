import { describe, expect, it } from 'vitest';
import { NETWORKS_MAX, PAGE_POINTS, PageRate, WHOLE_PAGE_POINTS } from './page-rate';

function clocked(factor = 1) {
  let nowMs = 1_000;
  const rate = new PageRate(factor, () => nowMs);
  const take = (url: string, address = '10.0.0.5', headers: Record<string, string> = {}) =>
    rate.take({ url, headers }, address);
  /** How many of these go through before one is refused. */
  const through = (url: string, headers: Record<string, string> = {}) => {
    let count = 0;
    while (count < 10_000 && take(url, '10.0.0.5', headers) === 0) count += 1;
    return count;
  };
  return { rate, take, through, pass: (ms: number) => (nowMs += ms) };
}

describe('pages, by network', () => {
  it('a burst goes through, then ten a second, and the wait is told', () => {
    const { take, through, pass } = clocked();
    expect(through('/sign-in')).toBe(PAGE_POINTS.most / WHOLE_PAGE_POINTS);
    expect(take('/dead')).toBe(Math.ceil((WHOLE_PAGE_POINTS * 1_000) / PAGE_POINTS.perSecond));
    pass(1_000);
    expect(through('/nowhere')).toBe(PAGE_POINTS.perSecond / WHOLE_PAGE_POINTS);
    pass(86_400_000);
    expect(through('/')).toBe(PAGE_POINTS.most / WHOLE_PAGE_POINTS);
  });

  it('what the router fetches costs less than a whole page', () =>
    expect(clocked().through('/dead?_rsc=1', { rsc: '1' })).toBe(PAGE_POINTS.most));

  it('one network does not wait for another; a /64 is one network', () => {
    const { take, through } = clocked();
    through('/');
    expect(take('/')).toBeGreaterThan(0);
    expect(take('/', '10.0.0.6')).toBe(0);
    while (take('/', '2001:db8::1') === 0);
    expect(take('/', '2001:db8::2')).toBeGreaterThan(0);
    expect(take('/', '2001:db8:0:1::2')).toBe(0);
  });

  it.each(['/api/v1/queues', '/_next/static/chunks/a.js', '/healthz', '/readyz'])(
    '%s is not counted',
    (url) => expect(clocked().through(url)).toBe(10_000),
  );

  it.each([
    '/apis',
    '/%61pi/v1/queues',
    '/x/_next/static/a.js',
    '/healthz/x',
    '/metrics',
    '/api/',
    '/api/v1/queues/',
  ])('%s is', (url) => expect(clocked().through(url)).toBeLessThan(10_000));

  it('can be multiplied, and left out', () => {
    expect(clocked(2).through('/')).toBe((2 * PAGE_POINTS.most) / WHOLE_PAGE_POINTS);
    expect(clocked(0).through('/')).toBe(10_000);
  });

  it('remembers a bounded number of networks', () => {
    const { rate, take } = clocked();
    for (let i = 0; i < NETWORKS_MAX + 100; i++) take('/', `network ${i}`);
    expect(rate.size).toBe(NETWORKS_MAX);
  });
});
