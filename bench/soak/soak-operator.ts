/** The operator of the soak: triages dead jobs, one by one and by filter. */

import type { Operation } from '@/lib/contract/operations/operation';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { Broker } from '@/testing/create-broker';
import { fateOf, numberOf, QUEUE } from './soak-plan';

const BY = { actor: 'operator', reason: 'a soak' };
const PAGE = 500;
const PREVIEWS_MAX = 5;
const ACTIONS = [
  ['redrive', 'redriven'],
  ['purge', 'purged'],
  ['suppress', 'suppressed'],
] as const;

export interface Triaged {
  /** Left dead and suppressed: the end must find as many. */
  kept: number;
  suppressed: number;
  redriven: number;
  purged: number;
  operations: number;
}

export interface Operator {
  readonly triaged: Triaged;
  /** Triages all dead jobs. Returns how many it changed. */
  triage(): Promise<number>;
  /** Purges jobs that died of their deadline, by filter. */
  purgeLate(): Promise<void>;
}

/** Previews again when another job died since the preview, as a person would. */
async function startPurge(broker: Broker): Promise<Operation> {
  const scope = { state: 'dead', q: 'class:deadline', queue: QUEUE } as const;
  for (let left = PREVIEWS_MAX; ; left--) {
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

  async function triagePage(): Promise<number> {
    const page = await broker.inspect.list(QUEUE, { state: 'dead', limit: PAGE });
    const fates = { redrive: [] as string[], purge: [] as string[], suppress: [] as string[] };
    for (const { jobId } of page.jobs) {
      const fate = fateOf(numberOf(jobId));
      if (kept.has(jobId) || fate === 'by-filter') continue;
      if (kept.size < keepMost) kept.add(jobId);
      else if (triaged.suppressed + fates.suppress.length < suppressMost) fates.suppress.push(jobId);
      else fates[fate].push(jobId);
    }
    triaged.kept = kept.size;
    let dealt = 0;
    for (const [action, tally] of ACTIONS) {
      if (fates[action].length === 0) continue;
      const outcomes = await broker[action](QUEUE, fates[action], BY);
      const done = outcomes.filter((outcome) => outcome === 'ok').length;
      triaged[tally] += done;
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
    async purgeLate() {
      let operation = await startPurge(broker);
      while (operation.status === 'running')
        ({ operation } = await broker.operations.runSlice(operation.id, 'soak'));
      triaged.operations += 1;
      triaged.purged += operation.moved;
    },
  };
}
