/** Holds the raw keys of a queue against the model: the same jobs in the same states, times, places and totals. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { JOB_STATES } from '@/lib/contract/jobs/job-states';
import type { World } from '../worlds/world';
import { type BrokerModel, inLine, kindOf, lineOf, type ModelJob } from './broker-model';
import type { RawQueue } from './compare-ids';
import { readRaw, violations } from './invariants';

export async function checkAgainstModel(model: BrokerModel, world: World, queue: string): Promise<void> {
  const [raw, [shown]] = await Promise.all([
    readRaw(world.redis, world.keys, queue),
    world.broker.inspect.snapshot([queue]),
  ]);
  expect(violations(raw)).toEqual([]);
  expect(statesIn(raw)).toEqual(statesOf(model));
  expect([...(raw.states.get('ready')?.keys() ?? [])], 'the line').toEqual(
    model.in('ready').sort(inLine).map(idOf),
  );
  expect(keysIn(raw), '18: uniqueness keys').toEqual(
    new Map([...model.unique].map(([key, { owner, until }]) => [key, `${owner} ${until}`])),
  );
  expect(rememberedIn(raw), '17: ids that left the queue').toEqual(model.remembered());
  expect(linesHeld(raw), 'what pauses hold, in order').toEqual(linesHeldBy(model));
  expect(drivenIn(raw), '15: whom operations put back').toEqual(
    new Map([...model.jobs].flatMap(([id, { driven }]) => (driven ? [[id, driven]] : []))),
  );
  expect(outcomesIn(raw), '15: what became of them').toEqual(outcomesOf(model));
  expect(
    new Map([...raw.hash('groups')].map(([group, row]) => [group, row.split(' ')[2]])),
    '3: how many died of each group',
  ).toEqual(new Map([...model.groups].map(([kind, n]) => [groupOf(kind), String(n)])));
  for (const [id, job] of model.jobs) expect(rowsOf(raw, id), `the rows of ${id}`).toEqual(rowsMeant(job));
  for (const [field, value] of Object.entries(model.totals)) expect(raw.counter(field), field).toBe(value);
  // 3: what is shown is what is there.
  expect(shown?.ledger.difference).toBe(0);
  expect(shown?.rows).toBe(model.jobs.size);
  expect(shown?.counts).toEqual(
    Object.fromEntries(JOB_STATES.map((state) => [state, model.in(state).length])),
  );
  expect(shown?.pauses.map((pause) => pause.scope).sort()).toEqual(livePauses(model));
}

/** Of the operations that are still known: the outcomes of others are not counted. */
const outcomesIn = (raw: RawQueue) =>
  new Map(
    [...raw.hash('operations')].flatMap(([field, row]) =>
      field.endsWith(' outcome') ? [[field.split(' ')[0], row.split(' ').slice(0, 4).map(Number)]] : [],
    ),
  );
const outcomesOf = (model: BrokerModel) => new Map([...model.outcomes]);
/** Id → operation. */
const drivenIn = (raw: RawQueue) =>
  new Map([...raw.hash('redriven')].map(([id, row]) => [id, row.split(' ')[0]]));
const groupOf = (kind: string): string => createHash('sha1').update(kind).digest('hex').slice(0, 12);

const rememberedIn = (raw: RawQueue) =>
  new Map([...raw.hash('finishedBefore'), ...raw.hash('finished')].filter(([id]) => id !== '.since'));
const keysIn = (raw: RawQueue) => new Map(raw.hash('unique'));
const idOf = (job: ModelJob) => job.spec.jobId;

/** Each state's ids with the time it is ordered by; places are compared as an order, not as numbers. */
function statesIn(raw: RawQueue): Record<string, string[]> {
  const timeless = new Set(['ready', 'held']);
  return Object.fromEntries(
    [...raw.states].map(([state, index]) => [
      state,
      [...index].map(([id, score]) => (timeless.has(state) ? id : `${id} ${score}`)).sort(),
    ]),
  );
}

function statesOf(model: BrokerModel): Record<string, string[]> {
  const time = (job: ModelJob): string => {
    if (job.state === 'ready' || job.state === 'held') return idOf(job);
    if (job.state === 'in-flight') return `${idOf(job)} ${job.claim?.leaseUntil}`;
    if (job.state === 'dead') return `${idOf(job)} ${job.diedAt}`;
    const waits = job.state === 'scheduled' || job.state === 'retry';
    return `${idOf(job)} ${waits ? job.due : job.enteredAt}`;
  };
  return Object.fromEntries(JOB_STATES.map((state) => [state, model.in(state).map(time).sort()]));
}

function linesHeld(raw: RawQueue): Record<string, string[]> {
  const lines: Record<string, string[]> = {};
  for (const member of raw.zset('heldBy').keys()) {
    const [scope = '', , id = ''] = member.split('|');
    lines[scope] = [...(lines[scope] ?? []), id];
  }
  return lines;
}

function linesHeldBy(model: BrokerModel): Record<string, string[]> {
  const lines: Record<string, string[]> = {};
  for (const job of model.in('held').sort(inLine)) {
    const scope = job.heldBy ?? 'nothing';
    lines[scope] = [...(lines[scope] ?? []), idOf(job)];
  }
  return lines;
}

/** 4, 12 and 14: who holds it, what was tried, what it was made of, and what happened to it. */
function rowsOf(raw: RawQueue, id: string) {
  const row = raw.hash('jobs').get(id) ?? '';
  const [head = '', rest = ''] = row.split('\n', 2);
  const claim = raw.hash('claims').get(id)?.split(' ');
  const tries = raw.hash('attempts').get(id)?.split(' ');
  return {
    head,
    payload: row.slice(head.length + rest.length + 2),
    claim: claim ? [claim[0], claim[1], Number(claim[2]), Number(claim[3]), Number(claim[4])] : null,
    tries: claim || !tries ? null : [Number(tries[0]), Number(tries[1]), Number(tries[2])],
    history: (raw.hash('history').get(id) ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' '))
      .map(([, kind = '', delivery = '']) => lineOf(kind, delivery)),
    death: raw.hash('deaths').get(id) ?? null,
  };
}

function rowsMeant(job: ModelJob): ReturnType<typeof rowsOf> {
  const { priority, maxAttempts, deadline, jobType, tenantId, payload } = job.spec;
  const buried = job.state === 'dead' || job.state === 'suppressed' || job.state === 'trashed';
  const { claim } = job;
  // No attempts row is written before the first claim ends, and none is kept for what is completed.
  const tried = job.history.some((kind) => kind !== 'promoted') && !claim && job.state !== 'completed';
  return {
    head: `1 ${priority} ${maxAttempts} ${deadline ?? 0} 0 ${jobType} 1 ${tenantId}${uniqueOf(job)}`,
    payload: payload.toString('latin1'),
    claim: claim ? [claim.token, claim.worker, claim.claimedAt, job.attempt, job.losses] : null,
    tries: tried && hasTries(job) ? [job.attempt, job.deliveries, job.losses] : null,
    history: job.history,
    death: buried
      ? `${job.diedAt} ${job.errorClass} ${job.errorCode} ${groupOf(kindOf(job))} ${jobType} 1 ${tenantId} ${priority} ${job.attempt} ${job.operation}`
      : null,
  };
}

const uniqueOf = ({ spec: { unique } }: ModelJob): string =>
  unique ? ` u=${unique.scope.charAt(0)}:${unique.ttlMs}:${unique.key}` : '';

/** A job that died before it was ever claimed has no attempts to keep, until it is re-driven. */
const hasTries = (job: ModelJob) => job.deliveries > 0 || job.history.includes('redriven');

const livePauses = (model: BrokerModel): string[] =>
  [...model.pauses]
    .filter(([, until]) => until === 0 || until > model.now)
    .map(([scope]) => scope)
    .sort();
