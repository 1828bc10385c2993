/**
 * M6: for each quota one user takes all they can over HTTP. A second user goes on; and when all of it is taken, an administrator does. Most
 * of what a user holds is put into the counts of the shares, which the scripts read.
 */
import { beforeAll, expect, test } from 'vitest';
import { QUOTAS, type QuotaName } from '@/lib/contract/access/quotas';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { type SignedIn, signInAs } from '@/testing/worlds/users';
import { BY, failure, killAll } from '@/testing/worlds/world';

const world = await setUpConsole();
const SUBJECTS = Array.from({ length: 12 }, (_, n) => `g${n}`);
let admin: SignedIn;
let greedy: SignedIn;
let second: SignedIn;

beforeAll(async () => {
  process.env.REDRIVE_RATE_FACTOR = '1000';
  const operator = [{ role: 'operator' as const, queues: ['*'], tenants: null }];
  admin = await signInAs(world, { name: 'ada', grants: [{ role: 'admin', queues: ['*'], tenants: null }] });
  greedy = await signInAs(world, { name: 'greedy', grants: operator });
  second = await signInAs(world, { name: 'ben', grants: operator });
  await killAll(
    world.broker,
    'mail',
    SUBJECTS.map((jobType) => ({ jobId: jobType, jobType })),
    failure(),
  );
  // A purge then waits for a second person: it stays open as long as a test needs it.
  await world.broker.config.change('mail', { purgeNeedsApproval: true }, BY);
});

type Answer = Awaited<ReturnType<typeof callApi>>;
const send = (method: string, path: string, who: SignedIn, body: unknown): Promise<Answer> =>
  callApi(method, `/api/v1/${path}`, { body, headers: who.headers });
const start = async (who: SignedIn, kind: string): Promise<Answer> => {
  const scope = { q: 'queue:mail' };
  const { body } = await send('POST', 'operations/preview', who, { kind, scope });
  return send('POST', 'operations', who, { previewToken: body.token, reason: 'a test' });
};
const schedule = (who: SignedIn, id: string): Promise<Answer> => {
  const [timing, job] = [{ everyMs: 86_400_000 }, { jobType: 'x' }];
  return send('POST', 'schedules', who, { id, queue: 'mail', timing, job });
};

interface GreedyCase {
  /** Counts of the shares, as docs/redis-keys.md names them. */
  readonly shares: string;
  /** What one item counts. */
  readonly weight?: number;
  /** @param n differs with each call */
  ask(who: SignedIn, n: number): Promise<Answer>;
}

/** A quota without a case is an error of the compiler. Live connections are no rows in Redis: user-quotas.route.test.ts opens them. */
const CASES: Record<Exclude<QuotaName, 'streams'>, GreedyCase> = {
  operations: { shares: 'rd:{.operations}:shares', ask: (who) => start(who, 'purge') },
  undos: { shares: 'rd:{.operations}:shares', ask: (who) => start(who, 'purge') },
  exports: { shares: 'rd:{.operations}:shares', ask: (who) => start(who, 'export') },
  pauses: {
    shares: 'rd:{mail}:pauseShares',
    ask: (who, n) => send('POST', 'queues/mail/pause', who, { scope: `type:g${n}`, reason: 'a test' }),
  },
  schedules: { shares: 'rd:{.schedules}:shares', ask: (who, n) => schedule(who, `s${n}`) },
  fences: {
    shares: 'rd:{.schedules}:shares',
    ask: async (who, n) => {
      const made = await schedule(who, `f${n}`);
      return made.status < 300 ? send('DELETE', `schedules/f${n}`, who, { reason: 'a test' }) : made;
    },
  },
  searches: {
    shares: 'rd:{.searches}:shares',
    ask: (who, n) => send('POST', 'searches', who, { name: `s${n}`, q: '', shared: false }),
  },
  tokens: {
    shares: 'rd:{.access}:shares',
    ask: (who) =>
      send('POST', 'access/tokens', who, {
        name: 'ci',
        grants: [{ role: 'viewer', queues: ['mail'], tenants: null }],
        expiresInDays: 7,
      }),
  },
  notes: {
    shares: 'rd:{.groups}:shares',
    ask: async (who, n) => {
      const { body } = await callApi('GET', `/api/v1/dead/groups?q=type:g${n}`, { headers: who.headers });
      const [group] = body.groups as { group: string }[];
      return send('PATCH', `dead/groups/${group?.group}`, who, { name: `n${n}` });
    },
  },
  queues: {
    shares: 'rd:{.queues}:shares',
    ask: (who, n) => send('POST', `queues/new-${n}/jobs`, who, { jobType: 'x' }),
  },
  silences: {
    shares: 'rd:{.alerts}:shares',
    ask: (who, n) =>
      send('POST', 'alerts/silences', who, {
        code: `CODE${'ABCDEFGHIJKL'[n]}`,
        reason: 'a test',
        forMs: 60_000,
      }),
  },
  shardings: {
    shares: 'rd:{.queues}:shares',
    weight: 4,
    ask: (who, n) => send('PUT', `queues/wide-${n}/sharding`, who, { count: 4 }),
  },
};

test.each(Object.entries(CASES))(
  'M6: %s: one user takes a share, others go on, and an administrator has room',
  async (name, { shares, weight = 1, ask }) => {
    const quota = name as keyof typeof CASES;
    const { total, perUser } = QUOTAS[quota];
    const redis = world.redis.connect();
    const set = (field: string, n: number) => redis.hset(shares, `${quota} ${field}`, n);
    let n = 0;
    const next = (who: SignedIn) => ask(who, n++);
    const refused = { status: 409, body: { code: 'LIMIT_REACHED' } };

    await set(`user ${greedy.userId}`, perUser - 2 * weight);
    expect((await next(greedy)).status).toBeLessThan(300);
    expect((await next(greedy)).status).toBeLessThan(300);
    const over = await next(greedy);
    expect(over).toMatchObject(refused);
    expect(over.body.detail).toMatch(`You hold ${perUser.toLocaleString('en-US').replace(',', '')} `);
    expect((await next(second)).status).toBeLessThan(300);
    expect((await next(admin)).status).toBeLessThan(300);

    // Many users take the rest.
    await set('all', total);
    expect(await next(second)).toMatchObject(refused);
    expect((await next(admin)).status).toBeLessThan(300);
    await redis.hdel(shares, `${quota} all`, `${quota} user ${greedy.userId}`);
  },
);

test('previews: each user has a hundred', async () => {
  const preview = (who: SignedIn) =>
    send('POST', 'operations/preview', who, { kind: 'export', scope: { q: 'queue:mail' } });
  const confirm = async (who: SignedIn, { body }: Answer) =>
    (await send('POST', 'operations', who, { previewToken: body.token, reason: 'a test' })).status;
  const ofSecond = await preview(second);
  const first = await preview(greedy);
  for (let n = 0; n < 100; n++) expect((await preview(greedy)).status).toBe(200);
  expect(await confirm(greedy, first)).toBe(409);
  expect(await confirm(second, ofSecond)).toBe(202);
});

test('sessions: each user has fifty', async () => {
  const me = async ({ headers }: SignedIn) => (await callApi('GET', '/api/v1/me', { headers })).status;
  const grants = [{ role: 'viewer' as const, queues: ['*'], tenants: null }];
  const own: SignedIn[] = [];
  for (let n = 0; n < 52; n++) own.push(await signInAs(world, { name: 'sara', grants }));
  expect(await Promise.all(own.slice(0, 3).map(me))).toEqual([401, 401, 200]);
  expect([await me(second), await me(admin)]).toEqual([200, 200]);
});
