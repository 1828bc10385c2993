/** One call of search.lua, and its reply in words. */
import { matches } from '@/lib/contract/query';
import type { Redaction } from '@/lib/contract/redaction';
import type { BrokerContext } from '../context';
import { STATE_COLUMN } from '../keys';
import { list, text } from '../reply';
import type { Place } from '../sharded/places';
import { flat, isDeath, type Plan, type Question } from './compile';
import { factsOf, storedJobs } from './facts';
import { createGate } from './gate';
import type { Source } from './sources';

export type Order = 'newest' | 'oldest';
/** Where a scan stands: everything up to it, in the order of the scan, was looked at. Null: at the start. */
export interface Mark {
  /** As Redis writes it. */
  readonly score: string;
  readonly jobId: string;
}

export interface Hit {
  readonly jobId: string;
  /** Fences a later move: the claim token of a job in flight, else the index's score as Redis writes it. */
  readonly stamp: string;
  readonly score: number;
  readonly class: string | null;
  /** Its row in `deaths`, where it has one. */
  readonly death: string | null;
  /** Entries that were looked at up to it, itself among them. */
  readonly looked: number;
}
interface Found extends Hit {
  /** As Redis writes it. */
  readonly raw: string;
}
export interface Step {
  /** In order. */
  readonly hits: readonly Found[];
  /** How many matched, hits among them or not. */
  readonly matched: number;
  readonly mark: Mark | null;
  readonly done: boolean;
  readonly scanned: number;
  readonly source: Source;
  /** How many entries the source holds; null: not asked. */
  readonly of: number | null;
}

export interface StepInput {
  readonly order: Order;
  readonly from: Mark | null;
  readonly most: number;
  /** 0: only count. */
  readonly want: number;
  /** Null: choose the smallest, and say how many entries it holds. */
  readonly source: Source | null;
  /** What is hidden in payloads; null: nothing is judged by them. */
  readonly hides: Redaction | null;
}

/** At most so many scripts that read rows are under way from this process, however many search. */
const rows = createGate(2);

export async function step(
  ctx: BrokerContext,
  place: Place,
  question: Question,
  plan: Plan,
  input: StepInput,
): Promise<Step> {
  if (plan.nothing)
    return { hits: [], matched: 0, mark: input.from, done: true, scanned: 0, source: [], of: 0 };
  const { state } = question;
  const want = input.want;
  const reads = readsFor(plan, question, want > 0);
  const call = () =>
    ctx.run(
      'search',
      place.name,
      [
        state,
        input.order,
        plan.low,
        plan.high,
        input.from?.score ?? '',
        input.from?.jobId ?? '',
        Math.max(1, Math.min(input.most, plan.entriesPerStep)),
        plan.bytesPerStep,
        want,
        (input.source ? [input.source] : plan.sources).map((parts) => parts.join(' ')).join(','),
        plan.program === null ? 0 : 1,
        reads,
        input.source ? 0 : 1,
        plan.required?.needle ?? '',
        plan.required?.how ?? '',
        plan.blind ? 1 : 0,
        plan.required?.part ?? '',
        plan.words.join('\n'),
        ...(plan.program === null ? [] : flat(plan.program)),
      ],
      { index: STATE_COLUMN[state] },
    );
  const reply = list(plan.heavy ? await rows.through(call) : await call(), 'search');
  const [score, jobId] = [text(reply[0]), text(reply[1])];
  const found: (Found & { sure: boolean })[] = [];
  for (let i = 7; i + 5 < reply.length; i += 6) found.push(foundIn(reply.slice(i, i + 6), state));
  const sure = await decided(ctx, place, question, found, input.hides);
  const unsure = new Set(found.filter((hit) => !hit.sure).map((hit) => hit.jobId));
  const doubtful = sure.filter((hit) => unsure.has(hit.jobId)).length;
  return {
    hits: want > 0 ? sure : [],
    matched: Number(reply[4]) + doubtful,
    mark: jobId === '' ? input.from : { score, jobId },
    done: reply[2] === 1,
    scanned: Number(reply[3]),
    source: list(reply[5], 'search').map(text),
    of: reply[6] === -1 ? null : Number(reply[6]),
  };
}

/** Besides what the program needs, what a hit tells. */
function readsFor({ reads, program }: Plan, { state }: Question, hits: boolean): string {
  const wanted = isDeath(state) ? 'k' : state === 'in-flight' ? 'c' : '';
  return hits && wanted !== '' && !reads.includes(wanted)
    ? reads + wanted
    : program === null && !hits
      ? ''
      : reads;
}

function foundIn(part: readonly unknown[], state: Question['state']): Found & { sure: boolean } {
  const [jobId = '', raw = '', token = '', known = ''] = part.slice(0, 4).map(text);
  const death = isDeath(state) ? known : null;
  return {
    jobId,
    raw,
    stamp: state === 'in-flight' ? token : raw,
    score: Number(raw),
    class: (death === null ? known : death.split(' ')[1]) || null,
    death,
    looked: Number(part[5]),
    sure: part[4] === 1,
  };
}

/** Leaves out what search.lua could not judge and does not fit. */
async function decided(
  ctx: BrokerContext,
  place: Place,
  { state, filter, at }: Question,
  found: readonly (Found & { sure: boolean })[],
  hides: Redaction | null,
): Promise<Found[]> {
  const open = found.filter((hit) => !hit.sure);
  if (open.length === 0) return [...found];
  const stored = await rows.through(() =>
    storedJobs(
      ctx,
      place.name,
      open.map((hit) => hit.jobId),
      state === 'completed' ? operationsIn(filter) : [],
    ),
  );
  const fits = new Set(
    open
      .filter((hit, i) => {
        const job = stored[i];
        return job !== undefined && matches(filter, factsOf(place.queue, state, hit, job, hides), at);
      })
      .map((hit) => hit.jobId),
  );
  return found.filter((hit) => hit.sure || fits.has(hit.jobId));
}

function operationsIn(filter: Question['filter']): string[] {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.of.flatMap(operationsIn);
  if (filter.kind === 'not') return operationsIn(filter.of);
  return filter.kind === 'name' && filter.field === 'operation' && !filter.prefix ? [filter.value] : [];
}
