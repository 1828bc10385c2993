/** A flood of sign-ins from very many addresses at the built console: the right password still opens it, and the audit log keeps its history. Needs a build. */
import { hash } from '@node-rs/argon2';
import { afterAll, expect, test } from 'vitest';
import { AUDIT_ENTRIES_MAX } from '@/lib/broker/audit/trim-log';
import { PASSWORD_HASH } from '@/lib/contract/access/access-limits';
import { paths } from '@/lib/contract/api-paths';
import { REFUSALS_A_DAY } from '@/lib/server/audit/audit-refusals';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import { Processes, requireBuild } from '@/testing/worlds/processes';
import { type RealConsole, startRealConsole, type TestUser } from '@/testing/worlds/real-console';
import { setUpRedis } from '@/testing/worlds/set-up-redis';

const ANN: TestUser = {
  name: 'ann',
  password: 'a long enough password for ann',
  grants: [{ role: 'admin' }],
};
const FLOOD_MS = 20_000;
const AT_ONCE = 24;
const SIGN_IN_MAX_MS = 2_000;

requireBuild();
const processes = new Processes();
const redis = await setUpRedis();
afterAll(async () => {
  await processes.stopAll();
});

const group = (): string => Math.floor(Math.random() * 65_536).toString(16);
/** Any of a /32 of IPv6. */
const stranger = (): string => `2001:db8:${group()}:${group()}::${group()}`;

async function flood(site: RealConsole, endAt: number, answers: Record<string, number>): Promise<void> {
  for (let i = 0; Date.now() < endAt; i++) {
    const headers = { 'x-forwarded-for': stranger() };
    const answer =
      i % 3 === 0
        ? await site.ask(`${paths.session()}/link`, { method: 'POST', headers, body: { code: 'x' } })
        : await site.ask(paths.session(), {
            method: 'POST',
            headers,
            // One in four tries the name that has to come in.
            body: { name: i % 4 === 0 ? ANN.name : `name ${group()}`, password: 'wrong' },
          });
    const what = `${answer.status} ${String(answer.json().code)}`;
    answers[what] = (answers[what] ?? 0) + 1;
  }
}

test('H1: under a flood from a whole /32 the right password opens the console within two seconds, and the log keeps its history', async () => {
  const users = [{ name: ANN.name, hash: await hash(ANN.password, PASSWORD_HASH), grants: ANN.grants }];
  const site = await startRealConsole(processes, {
    redisUrl: redis.path,
    users: [ANN],
    env: {
      TRUST_PROXY: '1',
      LOG_LEVEL: 'warn',
      REDRIVE_RATE_FACTOR: '1',
      REDRIVE_USERS: JSON.stringify({ users }),
    },
  });
  const client = redis.connect();
  const entries = async () => Number(await client.hget('rd:{.audit}:head', 'n'));
  const signIn = async (address: string) => {
    const startedAt = performance.now();
    const { status, text } = await site.ask(paths.session(), {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
      body: { name: ANN.name, password: ANN.password },
    });
    expect(status, text).toBe(200);
    return performance.now() - startedAt;
  };
  const calm: number[] = [];
  for (let i = 0; i < 5; i++) calm.push(await signIn(`198.51.100.${i}`));
  // On a machine that is busy with other things a sign-in takes its time without a flood, too.
  const mostMs = Math.max(SIGN_IN_MAX_MS, 10 * Math.max(...calm));
  await until(async () => (await entries()) >= calm.length, { what: 'their entries', timeoutMs: 20_000 });
  const before = await entries();

  const answers: Record<string, number> = {};
  const end = Date.now() + FLOOD_MS;
  const crowd = Array.from({ length: AT_ONCE }, () => flood(site, end, answers));
  const took: number[] = [];
  // From the /32 of the flood as well as from elsewhere.
  // Four a second at most: one user may begin so many sessions an hour, and no more.
  for (let i = 0; Date.now() < end; i++) {
    const nextAt = Date.now() + 250;
    took.push(await signIn(i % 2 === 0 ? `198.51.${i % 250}.7` : `2001:db9:${i.toString(16)}::1`));
    await until(() => Date.now() >= nextAt, { what: 'the next sign-in' });
  }
  await Promise.all(crowd);
  const asked = Object.values(answers).reduce((sum, count) => sum + count, 0);
  console.log(
    `${asked} in ${FLOOD_MS / 1_000} s: ${JSON.stringify(answers)}; ${took.length} sign-ins, the slowest ${Math.round(Math.max(...took))} ms, ${Math.round(Math.max(...calm))} ms before`,
  );
  expect(answers['200 undefined'] ?? 0).toBe(0);
  expect(asked, 'a flood it is').toBeGreaterThan(500);
  await expectWithin(Math.max(...took), mostMs);

  await until(async () => (await client.xlen('rd:{.access}:audit')) <= 1, {
    what: 'all records to be carried into the log',
    timeoutMs: 30_000,
  });
  // Each sign-in is an entry of its own. What the strangers left is what a day allows, by the minute.
  const byStrangers = (await entries()) - before - took.length;
  console.log(`${byStrangers} entries by strangers`);
  expect(byStrangers).toBeGreaterThan(0);
  expect(byStrangers).toBeLessThan(60);
  expect(REFUSALS_A_DAY.networks).toBeLessThan(AUDIT_ENTRIES_MAX / 40);
  client.disconnect();
}, 180_000);
