/** Who answers for an operation: asked while it moves jobs, and replaced by whoever lets it go on. */
import { describe, expect, it } from 'vitest';
import type { Actor, CheckAuthorization } from '@/lib/broker';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import { until } from '@/testing/poll';
import { startOperation } from '@/testing/worlds/operation-runs';
import { BY, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const ANN: Actor & { reason: string } = {
  actor: 'Ann',
  actorId: 'local:ann',
  method: 'local',
  via: 's1',
  address: '10.0.0.1',
  reason: 'a test',
};
const BEN = { ...ANN, actor: 'Ben', actorId: 'local:ben', via: 's2' };
const YES: CheckAuthorization = async () => ({ ok: true });
const NO: CheckAuthorization = async () => ({ ok: false, sentence: 'Ann may no longer purge.' });

async function running(by: Actor & { reason: string }, count = 2_000) {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(count));
  const control = { rate: { perSecond: 400, keepReadyBelow: null } };
  const wanted = { kind: 'suppress', q: `queue:${queue}` } as const;
  const { id } = await startOperation(world.broker, wanted, { by, control });
  // Some jobs a step: it is not over before its second asking is due.
  const step = (checkAuthorization?: CheckAuthorization) => {
    world.clock.now += 100;
    return world.broker.operations.runSlice(id, 'r1', {
      sliceMs: 0,
      ...(checkAuthorization ? { checkAuthorization } : {}),
    });
  };
  const moved = () => world.redis.zcard(world.column(queue, 'suppressed'));
  return { queue, id, step, moved };
}

describe('an operation that a person started', () => {
  it('stops before anything more is moved once they may not do it any more', async () => {
    const { id, step, moved } = await running(ANN);
    await step(YES);
    const before = await moved();
    expect(before).toBeGreaterThan(0);
    const asked: OperationRecord[] = [];
    const refuse: CheckAuthorization = (record) => {
      asked.push(record);
      return NO(record);
    };
    // Told so, it was asked within the last second: the next asking is due then.
    const { operation } = await until(
      async () => {
        const stepped = await step(refuse);
        return stepped.operation.status === 'paused' ? stepped : null;
      },
      { what: 'the next asking', timeoutMs: 20_000 },
    );
    expect(operation.paused).toMatchObject({ by: 'rights', sentence: 'Ann may no longer purge.' });
    expect(operation.events.at(-1)).toMatchObject({ type: 'paused', by: 'rights' });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.principal).toMatchObject({ actorId: 'local:ann', method: 'local', via: 's1' });
    const then = await moved();
    await step(YES);
    expect(await moved()).toBe(then);
    expect((await world.broker.operations.get(id)).moved).toBe(then);
  });

  it('moves nothing at all when they may not do it any more as it begins', async () => {
    const { step, moved } = await running(ANN, 50);
    expect((await step(NO)).operation).toMatchObject({ status: 'paused', moved: 0 });
    expect(await moved()).toBe(0);
  });

  it('is asked about at most once a second', async () => {
    const { step } = await running(ANN, 3_000);
    let asked = 0;
    const startedAtMs = performance.now();
    for (let i = 0; i < 10; i += 1)
      await step(async () => {
        asked += 1;
        return { ok: true };
      });
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(1 + (performance.now() - startedAtMs) / 1_000);
  });

  it('is then in the name of whoever resumes it, in histories, too', async () => {
    const { id, queue, step } = await running(ANN, 30);
    await step(NO);
    await world.broker.operations.act(id, 'resume', BEN);
    const asked: (string | undefined)[] = [];
    const { operation } = await step(async (record) => {
      asked.push(record.principal?.actorId);
      return { ok: true };
    });
    expect(asked).toEqual(['local:ben']);
    expect(operation.actor).toBe('Ann');
    const job = await world.broker.inspect.job(queue, 'j000000');
    expect(job.history.at(-1)).toMatchObject({ actor: 'Ben' });
  });
});

describe('an operation that nobody is asked about', () => {
  it('is one of the library', async () => {
    const { step, moved } = await running(BY, 30);
    expect((await step(NO)).operation.status).not.toBe('paused');
    expect(await moved()).toBe(30);
  });

  it('is one that a runner works off who asks nobody', async () => {
    const { step, moved } = await running(ANN, 30);
    await step();
    expect(await moved()).toBe(30);
  });
});

describe('the second person that an operation waits for', () => {
  const waiting = async (by: Actor & { reason: string }) => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(3));
    await world.broker.config.change(queue, { purgeNeedsApproval: true }, BY);
    return (await startOperation(world.broker, { kind: 'purge', q: `queue:${queue}` }, { by })).id;
  };
  const approve = (id: string, by: Actor) => world.broker.operations.act(id, 'approve', by);

  it('is no token of the first one, and not the first one for their token', async () => {
    const token = {
      ...ANN,
      actor: 'backup (token of Ann)',
      actorId: 'token:t1',
      ownerId: 'local:ann',
      method: 'token',
    };
    const byToken = token as Actor & { reason: string };
    await expect(approve(await waiting(ANN), byToken)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(approve(await waiting(byToken), ANN)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(approve(await waiting(byToken), byToken)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('L2: is nobody of the same name who came by another sign-in method, nor a token of theirs', async () => {
    const atProvider = { ...ANN, actor: 'ANN', actorId: 'oidc:0a1b2c:1001', method: 'oidc' } as const;
    const token = {
      ...BEN,
      actor: 'x (token of Ben) (token of Ann)',
      actorId: 'token:t2',
      ownerId: atProvider.actorId,
      method: 'token',
    } as const;
    for (const by of [atProvider, token])
      await expect(approve(await waiting(ANN), by)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(approve(await waiting(atProvider), ANN)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await approve(await waiting(atProvider), BEN)).status).toBe('running');
  });

  it('may have the same name, and leaves the first one responsible', async () => {
    const namesake = { ...BEN, actor: 'Ann' };
    const id = await waiting(ANN);
    await expect(approve(id, { ...ANN, actor: 'Ann Smith' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await approve(id, namesake)).status).toBe('running');
    const asked: (string | undefined)[] = [];
    await world.broker.operations.runSlice(id, 'r1', {
      checkAuthorization: async (record) => {
        asked.push(record.principal?.actorId);
        return { ok: true };
      },
    });
    expect(asked).toEqual(['local:ann']);
  });
});
