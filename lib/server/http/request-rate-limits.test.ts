import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Principal, quotaOwnerId } from '../authentication/principal';
import { networkOf, networksOf } from './client-network';
import { BUCKETS_MAX, Buckets, limitNetwork, limitRate, RATES } from './request-rate-limits';

function clocked(factor = 1) {
  let nowMs = 1_000;
  const buckets = new Buckets(
    () => factor,
    () => nowMs,
  );
  return {
    buckets,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('rate limits', () => {
  it('let a burst through, then as many a second as stated, and say how long to wait', () => {
    const { buckets, pass } = clocked();
    const { burst, perSecond } = RATES.search;
    for (let i = 0; i < burst; i++) expect(buckets.take('search', 'ann')).toBe(0);
    expect(buckets.take('search', 'ann')).toBe(Math.ceil(1_000 / perSecond));
    pass(1_000);
    let through = 0;
    for (let i = 0; i < 2 * perSecond; i++) if (buckets.take('search', 'ann') === 0) through += 1;
    expect(through).toBe(perSecond);
  });

  it('who is refused does not wait longer for having asked', () => {
    const { buckets, pass } = clocked();
    while (buckets.take('sign-in', 'ann') === 0);
    for (let i = 0; i < 1_000; i++) buckets.take('sign-in', 'ann');
    pass(1_000 / RATES['sign-in'].perSecond);
    expect(buckets.take('sign-in', 'ann')).toBe(0);
  });

  it('are of one person and one class each', () => {
    const { buckets } = clocked();
    while (buckets.take('change', 'ann') === 0);
    expect(buckets.take('change', 'ben')).toBe(0);
    expect(buckets.take('read', 'ann')).toBe(0);
  });

  it('never save up more than a burst', () => {
    const { buckets, pass } = clocked();
    buckets.take('change', 'ann');
    pass(86_400_000);
    let through = 0;
    while (buckets.take('change', 'ann') === 0) through += 1;
    expect(through).toBe(RATES.change.burst);
  });

  it('can be multiplied', () => {
    const { buckets } = clocked(2);
    let through = 0;
    while (buckets.take('change', 'ann') === 0) through += 1;
    expect(through).toBe(2 * RATES.change.burst);
  });

  it('remember a bounded number, those who asked last', () => {
    const { buckets } = clocked();
    while (buckets.take('sign-in', 'busy') === 0);
    for (let i = 0; i < BUCKETS_MAX + 500; i++) {
      buckets.take('read', `person ${i}`);
      if (i % 1_000 === 0) expect(buckets.take('sign-in', 'busy')).toBeGreaterThan(0);
    }
    expect(buckets.size).toBe(BUCKETS_MAX);
  });

  it.each([
    ['10.0.0.5', '10.0.0.5'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::7', '2001:db8:1:2::/64'],
    ['2001:db8::7', '2001:db8:0:0::/64'],
    ['2001:0DB8:0001:0002::7', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s counts as %s', (address, place) => expect(networkOf(address)).toBe(place));

  it.each([
    ['10.1.2.3', ['10.1', '10.1.2', '10.1.2.3']],
    ['2001:db8::7', ['2001:db8', '2001:db8:0', '2001:db8:0:0']],
    ['unknown', ['unknown', 'unknown', 'unknown']],
  ])('%s lies in the networks %j', (address, networks) => expect(networksOf(address)).toEqual(networks));
});

describe('whose share it is', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.useRealTimers();
  });
  const someone: Principal = {
    id: 'local:ann',
    name: 'ann',
    chosen: false,
    method: 'local',
    grants: [],
    via: null,
    address: '10.0.0.5',
    reauthenticatedUntil: null,
    expiresAt: null,
  };
  const token = (id: string, ownerId: string): Principal => ({
    ...someone,
    id: `token:${id}`,
    method: 'token',
    ownerId,
  });

  it("a token takes of its owner's; with AUTH=none nothing is divided", () => {
    expect(quotaOwnerId(someone)).toBe('local:ann');
    expect(quotaOwnerId(token('a', 'local:ann'))).toBe('local:ann');
    expect(quotaOwnerId({ ...someone, id: 'none', method: 'none' })).toBeNull();
  });

  it('another token of the same person gets no more requests through', () => {
    vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:6379');
    // So that nothing comes back meanwhile.
    vi.useFakeTimers({ toFake: ['performance'] });
    const request = new Request('http://127.0.0.1:3000/api/v1/dead');
    const ask = (principal: Principal) => limitRate(quotaOwnerId(principal), request, 'search');
    const untilRefused = () => {
      for (let i = 0; i < 10_000; i++) ask(token(String(i), 'local:ann'));
    };
    expect(untilRefused).toThrow('Too many requests');
    expect(() => ask(token('new', 'local:ann'))).toThrow('Too many requests');
    expect(() => ask(someone)).toThrow('Too many requests');
    expect(() => ask(token('other', 'local:ben'))).not.toThrow();
  });

  it('M1: without a session, that of the address; one /64 is one address, and users keep theirs', () => {
    vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:6379');
    vi.stubEnv('AUTH', 'link');
    vi.useFakeTimers({ toFake: ['performance'] });
    const from = (address: string) =>
      new Request('http://127.0.0.1:3000/api/v1/session', { headers: { 'x-redrive-address': address } });
    const { burst } = RATES['sign-in'];
    for (let i = 0; i < burst; i++) limitNetwork(from(`2001:db8:7:7::${i}`), 'sign-in');
    expect(() => limitNetwork(from('2001:db8:7:7:8::'), 'sign-in')).toThrow('Too many requests');
    expect(() => limitNetwork(from('2001:db8:7:8::'), 'sign-in')).not.toThrow();
    // However many addresses there are, the bucket of a user is not forgotten for them.
    const ann = 'local:busy';
    for (let i = 0; i < RATES.search.burst; i++) limitRate(ann, from('10.0.0.5'), 'search');
    for (let i = 0; i < BUCKETS_MAX; i++)
      limitNetwork(from(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`), 'read');
    expect(() => limitRate(ann, from('10.0.0.5'), 'search')).toThrow('Too many requests');
    vi.stubEnv('AUTH', 'none');
    expect(() => limitNetwork(from('2001:db8:7:7:8::'), 'sign-in')).not.toThrow();
  });
});
