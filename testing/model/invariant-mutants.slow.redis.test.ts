/** Proves the invariants' run over shards: five seeded defects of the kind brokers have shipped, each of which it must catch. */
import { describe, expect, it } from 'vitest';
import { layoutOf, shardOfJob } from '@/lib/broker/shards/shard-layout';
import { type InvariantRunOptions, runInvariants } from '@/testing/model/invariant-run';
import { type Mutant, withMutant } from '@/testing/model/mutate-script';
import { BY, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const layout = (queue: string) => layoutOf(queue, { count: 3, by: 'id' }, 1);
const OPTIONS: InvariantRunOptions = {
  runs: 60,
  commands: 100,
  limits: 'queue',
  shardsOf: (queue) => layout(queue).names,
  placeOf: (queue, job) => layout(queue).names[shardOfJob(layout(queue), job)] ?? queue,
  prepare: async ({ broker }, queue) => {
    await broker.sharding.set(queue, { count: 3, by: 'id' }, BY);
  },
};

const MUTANTS: readonly Mutant[] = [
  {
    defect: 'the token check is dropped',
    script: 'ack',
    is: 'if claim and claim.token == token then',
    becomes: 'if claim then',
  },
  {
    defect: 'the new state is written and the old one stays',
    script: 'fail',
    is: "redis.call('ZREM', keys.inflight, unpack(gone))\n",
    becomes: '',
  },
  {
    defect: 'the pause is not looked at',
    script: 'claim',
    is: 'rules.paused = true',
    becomes: 'rules.want = want',
  },
  {
    defect: 'a due job is promoted and stays due',
    script: 'maintain',
    is: "redis.call('ZREM', source, unpack(due))\n",
    becomes: '',
  },
  {
    defect: 'the owner of a uniqueness key is forgotten',
    script: 'enqueue',
    is: 'return owner and tonumber(ends) > clock.now and owner or nil',
    becomes: 'return nil',
  },
  {
    defect: 'what a person cancels is not recorded',
    script: 'cancel',
    is: "audit_event.add(keys.audit, 'job.' .. jobs.kind, jobs.by, { kind = 'job', id = moved[1], after = named, count = #moved })",
    becomes: '',
  },
];

describe('over three shards, a defect where', () => {
  it.each(MUTANTS)('$defect is caught', { timeout: 60_000 }, (mutant) =>
    withMutant(mutant, () => expect(runInvariants(world, OPTIONS)).rejects.toThrow(/with seed/)),
  );
});
