/** A running operation whose starter loses the right to it stops by itself; somebody who has it lets it go on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/broker';
import type { AccessScope, Grant } from '@/lib/contract/access/grant-scopes';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';
import { removeUser, signInAs, tokenFor } from '@/testing/worlds/users';
import { BY, jobs, killAll } from '@/testing/worlds/world';

const console_ = await setUpConsole();
let operationStillAuthorized: typeof import('./operation-still-authorized').operationStillAuthorized;
let runner: import('../background/operation-runner').OperationRunner;
beforeAll(async () => {
  ({ operationStillAuthorized } = await import('./operation-still-authorized'));
  const { OperationRunner } = await import('../background/operation-runner');
  runner = new OperationRunner();
});
afterAll(async () => {
  runner.stop();
});

const grant = (role: Grant['role'], queue = '*', tenants: string[] | null = null): Grant => ({
  role,
  queues: [queue],
  tenants,
});
const operator = (queue?: string, tenants?: string[]) => [grant('operator', queue, tenants ?? null)];

interface About {
  kind?: OperationKind;
  within?: AccessScope;
  queue?: string;
  target?: string;
}
const ask = (actorId: string, { kind = 'redrive', within, queue, target }: About = {}) =>
  operationStillAuthorized({
    kind,
    scope: { state: 'dead', q: '', ...(within ? { within } : {}), ...(queue ? { queue } : {}) },
    target: target ?? null,
    principal: {
      actor: 'Ann',
      actorId,
      method: actorId.startsWith('token:') ? 'token' : actorId.startsWith('oidc:') ? 'oidc' : 'local',
    },
  });
const OK = { ok: true };
const refusal = (part: string) => ({ ok: false, sentence: expect.stringContaining(part) });

describe('an operation may go on', () => {
  it('while its starter has the permission for all of it', async () => {
    const { userId } = await signInAs(console_, {
      name: 'ann',
      grants: operator('mail', ['acme', 'other']),
    });
    const within = (...tenants: string[]) => ({ within: [{ queue: 'mail', tenants }] });
    expect(await ask(userId, within('acme'))).toEqual(OK);
    expect(await ask(userId, within('acme', 'other'))).toEqual(OK);
    expect(await ask(userId, within('acme', 'third'))).toEqual(refusal('"operate"'));
    expect(await ask(userId, { queue: 'mail' })).toEqual(refusal('"operate"'));
    expect(await ask(userId)).toEqual(refusal('"operate"'));
    await console_.broker.access.users.change(userId, { grants: [grant('viewer')] }, BY);
    expect(await ask(userId, within('acme'))).toEqual(refusal('"operate"'));
    await console_.broker.access.users.change(userId, { grants: [grant('admin')] }, BY);
    expect(await ask(userId, { kind: 'purge' })).toEqual(OK);
  });

  it('to another queue while they may put jobs of these tenants there', async () => {
    const grants = [
      ...operator('mail'),
      grant('producer', 'pay', ['acme']),
      grant('producer', 'pay', ['other']),
    ];
    const { userId } = await signInAs(console_, { name: 'mover', grants });
    const move = { kind: 'move', target: 'pay' } as const;
    const within = [{ queue: 'mail', tenants: ['acme', 'other'] }];
    expect(await ask(userId, { ...move, within })).toEqual(OK);
    expect(await ask(userId, { ...move, queue: 'mail' })).toEqual(refusal('into pay'));
  });

  it('not once they are shut out, or gone', async () => {
    const { userId } = await signInAs(console_, { name: 'ben', grants: operator() });
    expect(await ask(userId)).toEqual(OK);
    await console_.broker.access.users.change(userId, { disabled: true }, BY);
    expect(await ask(userId)).toEqual(refusal('no access'));
    await console_.broker.access.users.change(userId, { disabled: false }, BY);
    expect(await ask(userId)).toEqual(OK);
    removeUser('ben');
    expect(await ask(userId)).toEqual(refusal('no access'));
  });

  it('by a token while both the token and its owner may', async () => {
    const owner = await signInAs(console_, { name: 'owner', grants: operator('mail*') });
    const { id } = await tokenFor(console_, owner, [...operator('mail'), ...operator('pay')]);
    const actorId = `token:${id}`;
    expect(await ask(actorId, { queue: 'mail' })).toEqual(OK);
    expect(await ask(actorId, { queue: 'mail-slow' })).toEqual(refusal('"operate"'));
    expect(await ask(actorId, { queue: 'pay' })).toEqual(refusal('"operate"'));
    await console_.broker.access.users.change(owner.userId, { grants: [grant('viewer')] }, BY);
    expect(await ask(actorId, { queue: 'mail' })).toEqual(refusal('"operate"'));
    await console_.broker.access.users.change(owner.userId, { grants: operator() }, BY);
    expect(await ask(actorId, { queue: 'mail' })).toEqual(OK);
    await console_.broker.access.tokens.revoke(id, {}, BY);
    expect(await ask(actorId, { queue: 'mail' })).toEqual(refusal('no access'));
    const over = await tokenFor(console_, owner, operator(), 1);
    await until(async () => (await console_.broker.access.tokens.get(over.id)) === null, { what: 'its end' });
    expect(await ask(`token:${over.id}`)).toEqual(refusal('no access'));
  });

  it('by a token that sleeps, not', async () => {
    const owner = await signInAs(console_, { name: 'olga', method: 'oidc', grants: operator() });
    const { id } = await tokenFor(console_, owner, operator());
    expect(await ask(`token:${id}`)).toEqual(OK);
    const redis = console_.redis.connect();
    const row = (await redis.hget('rd:{.access}:users', owner.userId)) ?? '';
    await redis.hset('rd:{.access}:users', owner.userId, row.replace(/^\d+ \d+/, '1 1'));
    expect(await ask(`token:${id}`)).toEqual(refusal('no access'));
  });

  it('when whoever has this machine started it, or a library', async () => {
    const rest = { kind: 'purge', scope: { state: 'dead', q: '' }, target: null } as const;
    for (const method of ['none', 'link'] as const)
      expect(
        await operationStillAuthorized({ ...rest, principal: { actor: 'me', actorId: method, method } }),
      ).toEqual(OK);
    expect(await operationStillAuthorized({ ...rest, principal: null })).toEqual(OK);
  });
});

describe('the runner', () => {
  it('stops in the middle when a role is taken away, and goes on for whoever resumes it', async () => {
    const queue = 'large';
    await killAll(console_.broker, queue, jobs(3_000));
    const carl = await signInAs(console_, { name: 'carl', grants: operator() });
    const dora = await signInAs(console_, { name: 'dora', grants: operator() });
    const by = (name: string, userId: string): Actor & { reason: string } => ({
      ...BY,
      actor: name,
      actorId: userId,
      method: 'local',
    });
    const { operations } = console_.broker;
    const { token } = await operations.preview({ kind: 'redrive', scope: { q: `queue:${queue}` } }, BY);
    const request = { previewToken: token, reason: 'a test', typedCount: 3_000 };
    const rate = { perSecond: 400, keepReadyBelow: null };
    const { id } = await operations.start({ ...request, rate }, by('carl', carl.userId));
    runner.run(id);
    await until(async () => (await operations.get(id)).moved > 0, {
      what: 'its first jobs',
      timeoutMs: 20_000,
    });
    await console_.broker.access.users.change(carl.userId, { grants: [grant('viewer')] }, BY);
    const paused = await until(
      async () => {
        const now = await operations.get(id);
        return now.status === 'paused' ? now : null;
      },
      { what: 'it to stop', timeoutMs: 20_000 },
    );
    expect(paused.paused).toMatchObject({ by: 'rights', sentence: expect.stringContaining('carl') });
    expect(paused.moved).toBeLessThan(3_000);
    await operations.act(id, 'resume', by('dora', dora.userId));
    await operations.change(id, { rate: { perSecond: null, keepReadyBelow: null } }, BY);
    runner.run(id);
    await until(async () => (await operations.get(id)).status === 'completed', {
      what: 'its end',
      timeoutMs: 20_000,
    });
    expect(await operations.get(id)).toMatchObject({ moved: 3_000, actor: 'carl' });
  });
});
