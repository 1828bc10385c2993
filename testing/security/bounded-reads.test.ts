/**
 * A producer's or worker's Redis user writes the keys of docs/connections.md without Redrive: any number of fields, values of any size.
 * Plain reads of such keys are only those of this table, with the reason why each is bounded; all others go through bounded-reads.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GLOBAL_KEYS } from '@/lib/broker/redis/redis-keys';
import { documentedUsers } from '@/testing/worlds/redis-server';

const BROKER = join(import.meta.dirname, '../../lib/broker');
/** Commands whose reply is as large as what is stored. */
const READ =
  /(?:redis|pipeline)\s*\.(h(?:getall|mget|get|vals|keys|scan)|[lxz]range(?:bylex|byscore)?|[xz]revrange(?:byscore)?|smembers|get)(?:Buffer)?\(\s*([^;]{0,160})/g;

/** `file · command`: why the reply is bounded, or what is still open. */
const CONSOLE = 'only the console writes the key';
const OWN_REQUEST =
  'one row of one job or operation, read when a user opens it or an operation moves it; its size is not bounded';
const KNOWN: Readonly<Record<string, string>> = {
  'alert-state.ts · hmget': CONSOLE,
  'change-group.ts · hget': CONSOLE,
  'data-format.ts · hgetall': 'producers and workers may only read it',
  'dataset.ts · get': 'SETNX alone, on Redis 7: the id that the console wrote stays',
  'deliver-messages.ts · zrange': CONSOLE,
  'deploy-marks.ts · xrange': CONSOLE,
  'edit-payload.ts · hmget': OWN_REQUEST,
  'find-jobs.ts · hget': OWN_REQUEST,
  'fold-all-queues.ts · xrevrange': 'measured before by areSmall; the other key is the console’s',
  'job-transfer.ts · hget': OWN_REQUEST,
  'list-alerts.ts · xrevrange': CONSOLE,
  'list-alerts.ts · zrevrange': CONSOLE,
  'list-cursor.ts · get': CONSOLE,
  'locate-reference.ts · hget':
    'on a Cluster only: one row a shard, read when a user searches an id; its size is not bounded',
  'operation-jobs.ts · zrevrangebyscore': 'a page of ids of one operation; the size of an id is not bounded',
  'operation-retention.ts · zrange': CONSOLE,
  'operation-store.ts · zrevrange': CONSOLE,
  'overdue-schedules.ts · zrangebyscore':
    'a page of ids; only a worker of all queues may write it, and the size of an id is not bounded',
  'quota-check.ts · hmget': CONSOLE,
  'read-entries.ts · xrange': CONSOLE,
  'read-entries.ts · xrevrange': CONSOLE,
  'read-history.ts · xrange': 'measured before by areSmall; the other keys are the console’s',
  'read-history.ts · xrevrange': 'measured before by areSmall; the other keys are the console’s',
  'read-marks.ts · xrevrange': CONSOLE,
  'recorded-loss.ts · get': CONSOLE,
  'saved-searches.ts · hget': CONSOLE,
  'scan-hash.ts · hscan': CONSOLE,
  'schedule-records.ts · zrange':
    'a page of ids; only a worker of all queues may write it, and the size of an id is not bounded',
  'session-records.ts · hget': CONSOLE,
  'sharded-context.ts · hget': 'producers and workers may only read it',
  'sharded-context.ts · hgetall': 'producers and workers may only read it',
  'token-records.ts · hmget': CONSOLE,
  'user-records.ts · hget': CONSOLE,
};

/** Keys outside queues that a producer or worker may write. */
function writable(): Set<string> {
  const patterns = documentedUsers()
    .filter(({ user }) => /producer|worker/.test(user))
    .flatMap(({ rules }) => rules.filter((rule) => /^\(?~rd:|%W~rd:/.test(rule)))
    .map((rule) => rule.replace(/^.*~rd:/, '').replace(/\)$/, ''));
  return new Set(
    Object.entries(GLOBAL_KEYS)
      .filter(([, { name }]) => patterns.includes(name))
      .map(([key]) => key),
  );
}

function sites(): string[] {
  const foreign = writable();
  const files = readdirSync(BROKER, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|generated|^audit\/fixtures/.test(file),
  );
  const found = files.flatMap((file) => {
    const text = readFileSync(join(BROKER, file), 'utf8');
    return [...text.matchAll(READ)].flatMap(([, command, args = '']) => {
      const named = /global\('(\w+)'\)/.exec(args.split(',')[0] ?? '')?.[1];
      if (named !== undefined && !foreign.has(named)) return [];
      return [`${file.split('/').at(-1)} · ${command}`];
    });
  });
  return [...new Set(found)].sort();
}

it('reads nothing of less trusted Redis users without a bound', () => {
  expect([...writable()].sort()).toEqual(
    expect.arrayContaining(['queues', 'workersInfo', 'schedulesRecords']),
  );
  expect(sites(), 'read it with bounded-reads.ts, or say here why it is bounded').toEqual(
    Object.keys(KNOWN).sort(),
  );
});
