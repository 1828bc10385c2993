/**
 * Proves the model-based test: each seeded defect, of a kind that real brokers have shipped, must be caught within the
 * budget of an ordinary run. A checker that passes a broken broker is worse than none.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Mutant, withMutant } from '@/testing/mutate';
import { runModel } from '@/testing/run-model';
import { openWorld, type World } from '@/testing/world';

// A copy the tests may damage; the broker under test imports the same one.
vi.mock('@/lib/broker/lua.generated', async (original) => ({
  SCRIPTS: structuredClone((await original<typeof import('./lua.generated')>()).SCRIPTS),
}));

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** With it each of them is met within half of the runs. */
const SEED = 20_260_106;

const MUTANTS: readonly Mutant[] = [
  {
    defect: 'ack takes any token',
    script: 'ack',
    is: 'if tenant and held == token then',
    becomes: 'if tenant then',
  },
  {
    defect: 'ack writes the completed job without taking it out of flight',
    script: 'ack',
    is: "redis.call('ZREM', K_inflight, unpack(done))\n",
    becomes: '',
  },
  {
    defect: 'claim does not look at the pause',
    script: 'claim',
    is: "if scopes and scopes['queue'] then return { 0, 0, nextAt, now } end",
    becomes: '',
  },
  {
    defect: 'claim hands out jobs of a paused tenant',
    script: 'claim',
    is: "holds_back('tenant:' .. tenant, score) or",
    becomes: '',
  },
  {
    defect: 'a due job is made ready and stays scheduled',
    script: 'claim',
    is: "redis.call('ZREM', source, unpack(due))\n",
    becomes: '',
  },
  {
    defect: 'fail takes any token',
    script: 'fail',
    is: 'if ended[id] or not (holds(held, token) and claim_of(held)) then',
    becomes: 'if ended[id] or not held then',
  },
  {
    defect: 'extend revives a claim that is lost',
    script: 'extend',
    is: 'local mine = holds(rows[i], ARGV[2 * i + 2])',
    becomes: 'local mine = true',
  },
  {
    defect: 'a released job goes to the end of the line',
    script: 'release',
    is: "redis.call('ZADD', K_ready, claim.score, id)",
    becomes: "redis.call('ZADD', K_ready, claim.score + 100000, id)",
  },
  {
    defect: 'a release forgets the failure before it',
    script: 'release',
    is: "if from and string.find(old, '^%d+ released ', from) then",
    becomes: 'if from then',
  },
  {
    defect: 'a resend enters the job again',
    script: 'enqueue',
    is: 'local old = present[i] or seen[id]',
    becomes: 'local old = seen[id]',
  },
  {
    defect: 'reclaim takes leases that still run',
    script: 'reclaim',
    is: "'-inf', now, 'BYSCORE'",
    becomes: "'-inf', now + 1000, 'BYSCORE'",
  },
  {
    defect: 'a poisonous job is handed out for ever',
    script: 'reclaim',
    is: 'local losses = claim.losses + 1',
    becomes: 'local losses = claim.losses',
  },
  {
    defect: 'resume forgets some of what it held',
    script: 'resume',
    is: "redis.call('ZREM', K_held, unpack(ids))\n",
    becomes: '',
  },
  {
    defect: 'a re-driven job keeps its used-up attempts',
    script: 'redrive',
    is: "tries_row(0, deliveries, 0, (redrives or 0) + 1, token or '-')",
    becomes: "before[i] or tries_row(0, 0, 0, 1, '-')",
  },
  {
    defect: 'a purged job stays in the index of facets',
    script: 'purge',
    is: "if #members > 0 then redis.call('ZREM', K_deadBy, unpack(members)) end\n",
    becomes: '',
  },
  {
    defect: 'a re-driven job is still counted among the dead',
    script: 'redrive',
    is: 'count_dead(ids[i], death, -1)\n',
    becomes: '',
  },
  {
    defect: 'a death is missing from the index of one facet',
    script: 'fail',
    is: "redis.call('ZADD', K_deadBy, unpack(members))",
    becomes: "redis.call('ZADD', K_deadBy, unpack(members, 1, #members - 2))",
  },
  {
    defect: 'a death is counted as that of another group',
    script: 'reclaim',
    is: "bury(id, row, 'crash', code, claim.attempt, '-')",
    becomes: "bury(id, row, 'crash', code, claim.attempt, 'x')",
  },
  {
    defect: 'what became of a re-driven job is told to its operation each time it ends',
    script: 'fail',
    is: "redis.call('HDEL', K_driven, id)\n",
    becomes: '',
  },
  {
    defect: 'a re-driven job that is completed is forgotten by its operation',
    script: 'exchange',
    is: 'if #redriven > 0 then ',
    becomes: 'if #redriven > 1000 then ',
  },
  {
    defect: 'a bulk operation does not remember whom it put back',
    script: 'bulk-redrive',
    is: 'drive(moved, op, deathRows)\n',
    becomes: '',
  },
  {
    defect: 'a bulk operation counts one less than it moved',
    script: 'bulk-shelve',
    is: 'progress.moved = progress.moved + #done',
    becomes: 'progress.moved = progress.moved + math.max(0, #done - 1)',
  },
  {
    defect: 'deleted jobs are missing from the ledger',
    script: 'remove',
    is: "count('deleted', #ids)",
    becomes: '',
  },
  {
    defect: 'the owner of a uniqueness key is forgotten: anybody frees it',
    script: 'ack',
    is: "if string.match(redis.call('HGET', K_unique, key) or '', '^(%S+)') ~= id then return end",
    becomes: '',
  },
  {
    defect: 'a uniqueness key is never looked at',
    script: 'enqueue',
    is: 'return owner and tonumber(ends) > now and owner or nil',
    becomes: 'return nil',
  },
  {
    defect: 'a completed job keeps its slot',
    script: 'exchange',
    is: 'leaves_flight(tenant)\n',
    becomes: '',
  },
  {
    defect: 'a concurrency limit counts one too few',
    script: 'claim',
    is: "at_most(tonumber(settings[5]) - redis.call('ZCARD', K_inflight))",
    becomes: "at_most(tonumber(settings[5]) + 1 - redis.call('ZCARD', K_inflight))",
  },
  {
    defect: 'a token bucket fills beyond its burst',
    script: 'claim',
    is: 'math.min(burst, tonumber(tokens) + ',
    becomes: 'math.min(100, tonumber(tokens) + ',
  },
  {
    defect: 'the depth limit forgets jobs that wait for their time',
    script: 'enqueue',
    is: "redis.call('ZCARD', K_ready) + redis.call('ZCARD', K_scheduled)",
    becomes: "redis.call('ZCARD', K_ready)",
  },
  {
    defect: 'fair queuing forgets where a tenant’s last job ends',
    script: 'enqueue',
    is: "redis.call('ZADD', K_fair, unpack(ends))\n",
    becomes: '',
  },
  {
    defect: 'virtual time stands still',
    script: 'claim',
    is: 'if tag > (times[priority] or -1) then times[priority] = tag end\n',
    becomes: '',
  },
  {
    defect: 'a purge by hand leaves no record',
    script: 'purge',
    is: "record_jobs('job.purge', ARGV[2], ids)",
    becomes: '',
  },
  {
    defect: 'the record of a re-drive counts what was left alone',
    script: 'redrive',
    is: "record_jobs('job.redrive', ARGV[2], moved)",
    becomes: "record_jobs('job.redrive', ARGV[2], ids)",
  },
];

describe('a defect that', () => {
  it.each(MUTANTS)('$defect is caught', { timeout: 200_000 }, (mutant) =>
    withMutant(mutant, () =>
      expect(runModel(world, { runs: 100, seed: SEED, shrink: false, timeLimitMs: 180_000 })).rejects.toThrow(
        /Property failed/,
      ),
    ),
  );

  it('is not there is not found', async () => {
    await expect(runModel(world, { runs: 10, seed: SEED, shrink: false })).resolves.toBeDefined();
  });
});
