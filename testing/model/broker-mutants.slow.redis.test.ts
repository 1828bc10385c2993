/**
 * Proves the model-based test: each seeded defect, of a kind that real brokers have shipped, must be caught within the
 * budget of an ordinary run. A checker that passes a broken broker is worse than none.
 */
import { describe, expect, it } from 'vitest';
import { type Mutant, withMutant } from '@/testing/model/mutate-script';
import { runModel } from '@/testing/model/run-model';
import { setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

/** With it each of them is met within half of the runs. */
const SEED = 20_260_106;

const MUTANTS: readonly Mutant[] = [
  {
    defect: 'ack takes any token',
    script: 'ack',
    is: 'if claim and claim.token == token then',
    becomes: 'if claim then',
  },
  {
    defect: 'ack writes the completed job without taking it out of flight',
    script: 'ack',
    is: "redis.call('ZREM', keys.inflight, unpack(done))\n",
    becomes: '',
  },
  {
    defect: 'claim does not look at the pause',
    script: 'claim',
    is: 'rules.paused = true',
    becomes: 'rules.want = want',
  },
  {
    defect: 'claim hands out jobs of a paused tenant',
    script: 'claim',
    is: "scope_of('tenant:' .. head.tenant, score) or",
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
    is: 'not ended[id] and claim_row.of_token(claims[i], token)',
    becomes: "not ended[id] and claim_row.parse(claims[i] or '')",
  },
  {
    defect: 'extend revives a claim that is lost',
    script: 'extend',
    is: 'local mine = claim_row.has_token(rows[i], ARGV[2 * i + 2])',
    becomes: 'local mine = true',
  },
  {
    defect: 'a released job goes to the end of the line',
    script: 'release',
    is: 'ready[#ready + 1], ready[#ready + 2] = claim.score, id',
    becomes: 'ready[#ready + 1], ready[#ready + 2] = claim.score + 100000, id',
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
    is: "'-inf', queue.now, 'BYSCORE'",
    becomes: "'-inf', queue.now + 1000, 'BYSCORE'",
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
    is: "redis.call('ZREM', keys.held, unpack(ids))\n",
    becomes: '',
  },
  {
    defect: 'a re-driven job keeps its used-up attempts',
    script: 'redrive',
    is: "attempt_row.format('0', deliveries, '0', redrives == '0' and '1' or string.format('%d', redrives + 1), token)",
    becomes: "before[i] or attempt_row.format('0', '0', '0', '1', '-')",
  },
  {
    defect: 'a purged job stays in the index of facets',
    script: 'set-aside',
    is: "if #members > 0 then redis.call('ZREM', keys.deadBy, unpack(members)) end\n",
    becomes: '',
  },
  {
    defect: 'a re-driven job is still counted among the dead',
    script: 'redrive',
    is: 'dead_counts.count(ids[i], death, -1)\n',
    becomes: '',
  },
  {
    defect: 'a death is missing from the index of one facet',
    script: 'fail',
    is: "redis.call('ZADD', keys.deadBy, unpack(members))",
    becomes: "redis.call('ZADD', keys.deadBy, unpack(members, 1, #members - 2))",
  },
  {
    defect: 'a death is counted as that of another group',
    script: 'reclaim',
    is: "dead_letters.add(id, row, 'crash', code, claim.attempt, '')",
    becomes: 'dead_letters.add(id, row, \'crash\', code, claim.attempt, \'{"print":"abc"\')',
  },
  {
    defect: 'what became of a re-driven job is told to its operation each time it ends',
    script: 'fail',
    is: "redis.call('HDEL', keys.redriven, id)\n",
    becomes: '',
  },
  {
    defect: 'a re-driven job that is completed is forgotten by its operation',
    script: 'exchange',
    is: 'if #redriven > 0 then',
    becomes: 'if #redriven > 1000 then',
  },
  {
    defect: 'a bulk operation does not remember whom it put back',
    script: 'redrive',
    is: 'redriven_jobs.add(moved, jobs.op, deathRows)\n',
    becomes: '',
  },
  {
    defect: 'a bulk operation counts one less than it moved',
    script: 'set-aside',
    is: 'op_progress.state.moved = op_progress.state.moved + #done',
    becomes: 'op_progress.state.moved = op_progress.state.moved + math.max(0, #done - 1)',
  },
  {
    defect: 'deleted jobs are missing from the ledger',
    script: 'delete',
    is: "queue.count('deleted', #ids)",
    becomes: '',
  },
  {
    defect: 'the owner of a uniqueness key is forgotten: anybody frees it',
    script: 'ack',
    is: "if string.match(redis.call('HGET', keys.unique, key) or '', '^(%S+)') ~= id then return end",
    becomes: '',
  },
  {
    defect: 'a uniqueness key is never looked at',
    script: 'enqueue',
    is: 'return owner and tonumber(ends) > clock.now and owner or nil',
    becomes: 'return nil',
  },
  {
    defect: 'a completed job keeps its slot',
    script: 'exchange',
    is: 'for tenant, ended in pairs(tenants) do capacity.leave(tenant, ended) end\n',
    becomes: '',
  },
  {
    defect: 'a concurrency limit counts one too few',
    script: 'claim',
    is: "at_most(tonumber(settings.concurrency) - redis.call('ZCARD', keys.inflight))",
    becomes: "at_most(tonumber(settings.concurrency) + 1 - redis.call('ZCARD', keys.inflight))",
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
    is: "redis.call('ZCARD', keys.ready) + redis.call('ZCARD', keys.scheduled)",
    becomes: "redis.call('ZCARD', keys.ready)",
  },
  {
    defect: 'a new job overlooks the depth limit',
    script: 'enqueue-new',
    is: 'config[2] or ',
    becomes: '',
  },
  {
    defect: 'a new job overlooks that the queue is fair',
    script: 'enqueue-new',
    is: 'or config[3] ',
    becomes: '',
  },
  {
    defect: 'new jobs share one priority',
    script: 'enqueue-new',
    is: 'nextPriority and nextPriority() or 0',
    becomes: '0',
  },
  {
    defect: 'fair queuing forgets where a tenant’s last job ends',
    script: 'enqueue',
    is: "redis.call('ZADD', keys.fair, unpack(ends))\n",
    becomes: '',
  },
  {
    defect: 'virtual time stands still',
    script: 'claim',
    is: 'if tag > (times[head.priority] or -1) then times[head.priority] = tag end\n',
    becomes: '',
  },
  {
    defect: 'a purge by hand leaves no record',
    script: 'set-aside',
    is: "audit_event.add(keys.audit, 'job.' .. jobs.kind, jobs.by, { kind = 'job', id = moved[1], after = named, count = #moved })",
    becomes: '',
  },
  {
    defect: 'the record of a re-drive counts what was left alone',
    script: 'redrive',
    is: 'count = #moved })',
    becomes: 'count = #jobs.all })',
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
