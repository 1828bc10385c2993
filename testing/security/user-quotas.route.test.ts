/**
 * M6: what all share has a share per user and per tenant. An operator of one tenant of one queue takes all they can get; everybody else
 * goes on, and an administrator always has room.
 */
import { beforeAll, expect, test } from 'vitest';
import { QUOTAS } from '@/lib/contract/access/quotas';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { type SignedIn, signInAs, tokenFor } from '@/testing/worlds/users';
import { BY, failure, killAll } from '@/testing/worlds/world';

const world = await setUpConsole();
let admin: SignedIn;
/** Three operators of tenant t1 of queue mail, and one of the tenant beside it. */
let tina: SignedIn;
let tom: SignedIn;
let tess: SignedIn;
let paul: SignedIn;
/** Sees all of it, and may change all of it but for who may do what. */
let lead: SignedIn;
const operatorOf = (tenant: string) => [
  { role: 'operator' as const, queues: ['mail', 'post'], tenants: [tenant] },
];

beforeAll(async () => {
  process.env.REDRIVE_RATE_FACTOR = '1000';
  admin = await signInAs(world, { name: 'ada', grants: [{ role: 'admin', queues: ['*'], tenants: null }] });
  lead = await signInAs(world, { name: 'lea', grants: [{ role: 'operator', queues: ['*'], tenants: null }] });
  tina = await signInAs(world, { name: 'tina', grants: operatorOf('t1') });
  tom = await signInAs(world, { name: 'tom', grants: operatorOf('t1') });
  tess = await signInAs(world, { name: 'tess', grants: operatorOf('t1') });
  paul = await signInAs(world, { name: 'paul', grants: operatorOf('t2') });
  for (const tenantId of ['t1', 't2'])
    await killAll(world.broker, 'mail', [{ jobId: `dead-${tenantId}`, jobType: 'x', tenantId }], failure());
  await world.broker.enqueue('post', { jobId: 'a', jobType: 'x', tenantId: 't1' });
  // A purge then waits for a second person: it stays open as long as a test needs it.
  await world.broker.config.change('mail', { purgeNeedsApproval: true }, BY);
});

type Headers = Record<string, string>;
type Answer = Awaited<ReturnType<typeof callApi>>;
const post = (path: string, who: { headers: Headers }, body: unknown) =>
  callApi('POST', path, { body, headers: who.headers });

/** Asks until it is refused. */
async function takeAll(
  ask: (n: number) => Promise<Answer>,
  atMost: number,
): Promise<{ taken: number; refused: Answer }> {
  for (let taken = 0; taken <= atMost; taken += 1) {
    const answer = await ask(taken);
    if (answer.status >= 400) return { taken, refused: answer };
  }
  throw new Error(`not refused after ${atMost}`);
}
function expectRefusal({ refused }: { refused: Answer }, detail: RegExp, field: string): void {
  expect(refused.body).toMatchObject({
    status: 409,
    code: 'LIMIT_REACHED',
    detail: expect.stringMatching(detail),
  });
  expect(refused.body.errors).toMatchObject([{ field, message: expect.stringContaining('is reached') }]);
}

const preview = async (who: SignedIn | { headers: Headers }, kind: string): Promise<string> =>
  String((await post('/api/v1/operations/preview', who, { kind, scope: { q: 'queue:mail' } })).body.token);
const startWith = (who: SignedIn | { headers: Headers }, previewToken: string) =>
  post('/api/v1/operations', who, { previewToken, reason: 'a test' });
const start = async (who: SignedIn | { headers: Headers }, kind: string): Promise<Answer> =>
  startWith(who, await preview(who, kind));

test('M6: operations of one user, of one tenant, and of all end at their shares; an administrator starts one all the same', async () => {
  const exports = await takeAll(() => start(tina, 'export'), 100);
  expect(exports.taken).toBe(QUOTAS.exports.perUser);
  expectRefusal(
    exports,
    /You hold 10 open exports; one user may hold 10 of 40.*you 10.*Fetch or cancel some/,
    'exports',
  );
  // With a token it is the same person.
  const token = await tokenFor(world, { userId: tina.userId, name: 'tina' }, operatorOf('t1'));
  const more = await takeAll((n) => start(n % 2 ? token : tina, 'purge'), 100);
  expect(exports.taken + more.taken).toBe(QUOTAS.operations.perUser);
  expectRefusal(more, /You hold 25 open operations.*Cancel some or let them end/, 'operations');
  // Nothing was started, and everybody else goes on.
  expect((await start(paul, 'export')).status).toBe(202);
  expect((await start(admin, 'export')).status).toBe(202);

  const colleague = await takeAll(() => start(tom, 'purge'), 100);
  expect(colleague.taken).toBe(QUOTAS.operations.perTenant - QUOTAS.operations.perUser);
  const third = await takeAll(() => start(tess, 'purge'), 100);
  expect(third.taken).toBe(0);
  expectRefusal(third, /The users of tenant t1 hold 50 open operations/, 'operations');
  // Who may see only tenant t1 is not told who the others are.
  expect(third.refused.body.detail).toMatch(/Held now: you 0, others 52\./);
  expect(third.refused.body.detail).not.toMatch(/tina|tom|paul|ada/);

  // The rest is taken by calls without a user: then nobody but an administrator has room.
  const tokens = [];
  for (let n = 52; n < QUOTAS.operations.total; n += 1) tokens.push(await preview(lead, 'purge'));
  for (const previewToken of tokens)
    await world.broker.operations.start({ previewToken, reason: 'a test' }, { actor: 'a program' });
  const whole = await start(lead, 'purge');
  expectRefusal(
    { refused: whole },
    /There are 100 open operations; 100 are the most, and 10 more for administrators/,
    'operations',
  );
  // Who sees the operations of everybody is told who has them open.
  expect(whole.body.detail).toMatch(/the library 48, tina 25, tom 25, others 2\./);
  expect((await start(admin, 'purge')).status).toBe(202);

  // One that ends makes room at once.
  const page = await callApi('GET', '/api/v1/operations?status=awaiting-approval&limit=500', {
    headers: tom.headers,
  });
  const [one] = (page.body.operations as { id: string; actor: string }[]).filter(
    ({ actor }) => actor === 'tom',
  );
  await callApi('POST', `/api/v1/operations/${one?.id}/cancel`, {
    headers: tom.headers,
    body: { reason: 'enough' },
  });
  const shares = await world.redis.connect().hgetall('rd:{.operations}:shares');
  expect(shares).toMatchObject({
    'operations all': '100',
    [`operations user ${tom.userId}`]: '24',
    'operations tenant t1': '49',
    [`operations name ${tina.userId}`]: 'tina',
  });
  expect((await start(tess, 'purge')).body.detail).toMatch(/There are 100 open operations/);
});

test('M6: pauses of one user end at their share, and the whole queue can always be paused', async () => {
  const many = Array.from({ length: 100 }, (_, i) => `p${i}`);
  const grants = [many.slice(0, 50), many.slice(50)].map((tenants) => ({
    role: 'operator' as const,
    queues: ['post'],
    tenants,
  }));
  const tara = await signInAs(world, { name: 'tara', grants, given: false });
  const pauseOf = (who: SignedIn, scope: string) =>
    post('/api/v1/queues/post/pause', who, { scope, reason: 'a test' });
  const own = await takeAll((n) => pauseOf(tara, `tenant:p${n}`), 100);
  expect(own.taken).toBe(QUOTAS.pauses.perUser);
  expectRefusal(own, /You hold 25 pauses.*always possible/, 'scope');
  for (let n = own.taken; n < QUOTAS.pauses.total; n += 1)
    await world.broker.pause('post', { scope: `tenant:p${n}`, reason: 'a test' }, BY);
  expectRefusal(
    { refused: await pauseOf(lead, 'type:x') },
    /There are 100 pauses.*the library 75, tara 25/,
    'scope',
  );
  // Neither tenants nor types keep anybody from stopping everything.
  expect((await pauseOf(lead, 'queue')).status).toBe(200);
  expect((await pauseOf(admin, 'type:x')).status).toBe(200);
  expect((await world.broker.inspect.snapshot(['post']))[0]?.pauses).toHaveLength(102);
  // One that is resumed makes room.
  for (const scope of ['tenant:p1', 'tenant:p80', 'tenant:p81', 'type:x'])
    expect((await post('/api/v1/queues/post/resume', admin, { scope })).status).toBe(200);
  expect((await pauseOf(tara, 'tenant:p80')).status).toBe(200);
  expectRefusal({ refused: await pauseOf(tara, 'tenant:p81') }, /You hold 25 pauses/, 'scope');
});

const makeSchedule = (who: { headers: Headers }, id: string, tenantId: string) =>
  post('/api/v1/schedules', who, {
    id,
    queue: 'post',
    timing: { everyMs: 86_400_000 },
    job: { jobType: 'x', tenantId },
  });
/** Some at once, as a script would. */
async function inBatches(count: number, ask: (n: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < count; from += 25)
    answers.push(
      ...(await Promise.all(Array.from({ length: Math.min(25, count - from) }, (_, i) => ask(from + i)))),
    );
  return answers;
}
const taken = (answers: Answer[]) => answers.filter(({ status }) => status < 300).length;

test('M6: schedules of one user end at their share, however many are made at once, and others make theirs', async () => {
  const { perUser, perTenant } = QUOTAS.schedules;
  const own = await inBatches(perUser + 30, (n) => makeSchedule(tina, `tina-${n}`, 't1'));
  expect(taken(own)).toBe(perUser);
  const refused = await makeSchedule(tina, 'one-more', 't1');
  expectRefusal({ refused }, /You hold 250 schedules; one user may hold 250 of 1000.*Delete some/, 'id');
  expect(taken(await inBatches(perUser + 10, (n) => makeSchedule(tom, `tom-${n}`, 't1')))).toBe(
    perTenant - perUser,
  );
  expectRefusal({ refused: await makeSchedule(tess, 'tess', 't1') }, /users of tenant t1 hold 500/, 'id');
  expect((await makeSchedule(paul, 'paul', 't2')).status).toBe(201);
  expect((await makeSchedule(admin, 'nightly-billing', 'other')).status).toBe(201);
  // What was refused left nothing in the queue.
  expect(await world.redis.connect().hexists('rd:{post}:occurrences', 'one-more')).toBe(0);
});

test('M6: making and deleting schedules all day uses up one user, and nobody else', async () => {
  const remove = (id: string) =>
    callApi('DELETE', `/api/v1/schedules/${id}`, { headers: tina.headers, body: { reason: 'a test' } });
  expect(taken(await inBatches(QUOTAS.schedules.perUser, (n) => remove(`tina-${n}`)))).toBe(
    QUOTAS.schedules.perUser,
  );
  const shares = world.redis.connect();
  const deleted = `fences user ${tina.userId}`;
  expect(await shares.hget('rd:{.schedules}:shares', deleted)).toBe(String(QUOTAS.schedules.perUser));
  // Deleting makes room at once, until so many were deleted within a day, which the refusal says. Most of them are put there.
  await shares.hset('rd:{.schedules}:shares', deleted, QUOTAS.fences.perUser - 20);
  expect(taken(await inBatches(20, (n) => makeSchedule(tina, `c-${n}`, 't1')))).toBe(20);
  expect(taken(await inBatches(20, (n) => remove(`c-${n}`)))).toBe(20);
  const refused = await makeSchedule(tina, 'again', 't1');
  expectRefusal({ refused }, /You hold 1000 schedules deleted or moved.*within a day.*Wait/, 'id');
  expect((await makeSchedule(paul, 'paul-2', 't2')).status).toBe(201);
  expect((await makeSchedule(admin, 'admin-2', 'other')).status).toBe(201);
});

test('M6: saved searches and tokens of the users of one tenant leave room for others', async () => {
  const search = (who: { headers: Headers }, n: number) =>
    post('/api/v1/searches', who, { name: `s${n}`, q: '', shared: false });
  const users = await Promise.all(
    Array.from({ length: 7 }, (_, n) => signInAs(world, { name: `u${n}`, grants: operatorOf('t1') })),
  );
  let saved = 0;
  for (const user of users) saved += taken(await inBatches(25, (n) => search(user, n)));
  expect(saved).toBe(QUOTAS.searches.perTenant);
  expectRefusal({ refused: await search(tess, 1) }, /users of tenant t1 hold 100 saved searches/, 'name');
  expect((await search(paul, 1)).status).toBeLessThan(300);
  expect((await search(admin, 1)).status).toBeLessThan(300);

  const token = (who: { headers: Headers }) =>
    post('/api/v1/access/tokens', who, { name: 'ci', grants: operatorOf('t1'), expiresInDays: 7 });
  const made = await takeAll(() => token(tess), 100);
  expect(made.taken).toBe(QUOTAS.tokens.perUser);
  expectRefusal(made, /You hold 50 API tokens.*Revoke some/, 'name');
  expect((await token(admin)).status).toBeLessThan(300);
});

test('M6: one producer names so many new queues over HTTP, and others go on', async () => {
  const grants = [{ role: 'producer' as const, queues: ['junk*'], tenants: null }];
  const jim = await signInAs(world, { name: 'jim', grants });
  const program = await tokenFor(world, { userId: jim.userId, name: 'jim' }, grants);
  const enqueue = (who: { headers: Headers }, queue: string) =>
    post(`/api/v1/queues/${queue}/jobs`, who, { jobType: 'x' });
  const redis = world.redis.connect();
  const shares = 'rd:{.queues}:shares';
  // Most of them are put there.
  expect((await enqueue(program, 'junk-0')).status).toBeLessThan(300);
  const { perUser } = QUOTAS.queues;
  await redis.hset(shares, `queues user ${jim.userId}`, perUser - 1, 'queues all', perUser - 1);
  expect((await enqueue(program, 'junk-1')).status).toBeLessThan(300);
  const refused = await enqueue(program, 'junk-2');
  expectRefusal(
    { refused },
    /You hold 1000 queues first named over HTTP; one user may hold 1000 of 10000/,
    'queue',
  );
  expect(await redis.zscore('rd:queues', 'junk-2')).toBeNull();
  // What exists takes jobs as before, and so does what others name.
  expect((await enqueue(program, 'junk-1')).status).toBeLessThan(300);
  const kim = await signInAs(world, { name: 'kim', grants });
  expect((await enqueue(kim, 'junk-3')).status).toBeLessThan(300);
  expect((await enqueue(admin, 'junk-4')).status).toBeLessThan(300);
  await world.broker.enqueue('junk-5', { jobType: 'x' });
  expect(await redis.hexists(shares, 'queues of junk-5')).toBe(0);
});

test('M6: a schedule that names a new queue takes the same share, made or moved', async () => {
  const schedule = { timing: { everyMs: 3_600_000 }, job: { jobType: 'x' } };
  const ned = await signInAs(world, {
    name: 'ned',
    grants: [{ role: 'operator', queues: ['*'], tenants: null }],
  });
  const make = (id: string, queue: string) => post('/api/v1/schedules', ned, { id, queue, ...schedule });
  const { perUser } = QUOTAS.queues;
  const shares = world.redis.connect();
  await shares.hset('rd:{.queues}:shares', `queues user ${ned.userId}`, perUser - 1);
  expect((await make('ned-1', 'ned-new-1')).status).toBeLessThan(300);
  expectRefusal(
    { refused: await make('ned-2', 'ned-new-2') },
    /You hold 1000 queues first named over HTTP/,
    'queue',
  );
  const moved = await callApi('PATCH', '/api/v1/schedules/ned-1', {
    body: { queue: 'ned-new-2' },
    headers: ned.headers,
  });
  expectRefusal({ refused: moved }, /You hold 1000 queues first named over HTTP/, 'queue');
});

test('L4: one user shards so many queues, and others go on', async () => {
  const shard = (who: { headers: Headers }, queue: string) =>
    callApi('PUT', `/api/v1/queues/${queue}/sharding`, { body: { count: 2 }, headers: who.headers });
  const { perUser } = QUOTAS.shardings;
  const shares = world.redis.connect();
  expect((await shard(lead, 'spread-0')).status).toBe(200);
  // Most of them are put there.
  await shares.hset('rd:{.queues}:shares', `shardings user ${lead.userId}`, perUser - 2);
  const own = await takeAll((n) => shard(lead, `spread-${n + 1}`), 200);
  expect(own.taken).toBe(1);
  expectRefusal(
    own,
    /You hold 1000 shards of queues sharded over HTTP; one user may hold 1000 of 4000/,
    'queue',
  );
  // What was refused left nothing behind.
  expect(await shares.keys('rd:{spread-2*')).toEqual([]);
  const leo = await signInAs(world, {
    name: 'leo',
    grants: [{ role: 'operator', queues: ['*'], tenants: null }],
  });
  expect((await shard(leo, 'spread-of-leo')).status).toBe(200);
  expect((await shard(admin, 'spread-of-ada')).status).toBe(200);
});

test('M6: live connections of the users of one tenant leave room for others', async () => {
  const { getLiveHub } = await import('@/lib/server/live/live-hub');
  const { resolvePrincipal } = await import('@/lib/server/authentication/resolve-principal');
  const { perUser, perTenant } = QUOTAS.streams;
  const users = await Promise.all(
    Array.from({ length: perTenant / perUser + 1 }, (_, n) =>
      signInAs(world, { name: `v${n}`, grants: operatorOf('t1') }),
    ),
  );
  const stop = new AbortController();
  const open = async (who: SignedIn) =>
    getLiveHub().open(await resolvePrincipal({ headers: new Headers(who.headers) }), stop.signal);
  for (const [n, user] of users.entries())
    for (let i = 0; i < perUser && n * perUser + i < perTenant; i += 1) await open(user);
  await expect(open(tess)).rejects.toMatchObject({
    code: 'TOO_MANY_STREAMS',
    message: expect.stringMatching(/The users of tenant t1 have 250 of 500/),
  });
  await open(paul);
  await open(admin);
  stop.abort();
  expect(getLiveHub().size).toBe(0);
});
