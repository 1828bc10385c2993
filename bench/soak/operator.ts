/** The people of the soak: they deal with what is dead, one by one and by filter. */
import type { Broker } from '@/lib/broker';
import { RedriveError } from '@/lib/contract/errors';
import type { Operation } from '@/lib/contract/operations';
import { fateOf, numberOf, QUEUE } from './plan';

const BY = { actor: 'operator', reason: 'a soak' };
const PAGE = 500;
/** Previews before it gives up. */
const LOOKS = 5;

export interface Triaged {
  /** Left dead, and set aside: what the end has to find. */
  kept: number;
  suppressed: number;
  redriven: number;
  purged: number;
  operations: number;
}

export interface Operator {
  readonly triaged: Triaged;
  /** Deals with all that is dead now. Returns how many were dealt with. */
  triage(): Promise<number>;
  /** Purges by filter what died of its deadline. */
  sweepLate(): Promise<void>;
}

/** As a person would: who is told that the preview no longer holds, because one more has died meanwhile, looks again. */
async function purgeLate(broker: Broker): Promise<Operation> {
  const scope = { state: 'dead', q: 'class:deadline', queue: QUEUE } as const;
  for (let left = LOOKS; ; left--) {
    const { token, typedCount } = await broker.operations.preview({ kind: 'purge', scope }, BY);
    const confirmed = {
      previewToken: token,
      reason: BY.reason,
      ...(typedCount === null ? {} : { typedCount }),
    };
    try {
      return await broker.operations.start(confirmed, BY);
    } catch (error) {
      if (!(error instanceof RedriveError) || error.code !== 'PREVIEW_STALE' || left <= 1) throw error;
    }
  }
}

/** @param keepMost so many of the first that die stay dead, and a fifth as many are suppressed */
export function createOperator(broker: Broker, keepMost: number): Operator {
  const triaged: Triaged = { kept: 0, suppressed: 0, redriven: 0, purged: 0, operations: 0 };
  const suppressMost = Math.floor(keepMost / 5);
  const kept = new Set<string>();

  const count = (outcomes: readonly string[]) => outcomes.filter((outcome) => outcome === 'ok').length;

  async function triagePage(): Promise<number> {
    const page = await broker.inspect.list(QUEUE, { state: 'dead', limit: PAGE });
    const fates: Record<'redrive' | 'purge' | 'suppress', string[]> = {
      redrive: [],
      purge: [],
      suppress: [],
    };
    for (const { jobId } of page.jobs) {
      const fate = fateOf(numberOf(jobId));
      if (kept.has(jobId) || fate === 'by-filter') continue;
      if (kept.size < keepMost) kept.add(jobId);
      else if (triaged.suppressed + fates.suppress.length < suppressMost) fates.suppress.push(jobId);
      else fates[fate].push(jobId);
    }
    triaged.kept = kept.size;
    let dealt = 0;
    if (fates.redrive.length > 0) {
      const done = count(await broker.redrive(QUEUE, fates.redrive, BY));
      triaged.redriven += done;
      dealt += done;
    }
    if (fates.purge.length > 0) {
      const done = count(await broker.purge(QUEUE, fates.purge, BY));
      triaged.purged += done;
      dealt += done;
    }
    if (fates.suppress.length > 0) {
      const done = count(await broker.suppress(QUEUE, fates.suppress, BY));
      triaged.suppressed += done;
      dealt += done;
    }
    return dealt;
  }

  return {
    triaged,
    async triage() {
      let dealt = 0;
      for (;;) {
        const now = await triagePage();
        dealt += now;
        // A page that is not half full is all there is.
        if (now < PAGE / 2) return dealt;
      }
    },
    async sweepLate() {
      let operation = await purgeLate(broker);
      while (operation.status === 'running')
        ({ operation } = await broker.operations.step(operation.id, 'soak'));
      triaged.operations += 1;
      triaged.purged += operation.moved;
    },
  };
}
