/** The part of an overview that comes with a page: as much as its first screen shows, however many queues there are. Pure. */
import { FIRST_QUEUES } from '@/lib/contract/queues/queue-limits';
import type { Overview } from '@/lib/contract/queues/queue-schemas';

/** Findings, pauses and other named items are folded after fewer. */
const FIRST_NAMED = 6;

/** Totals stay those of everything: what is listed is less. */
export function firstScreen({ queues, verdict, sums, ...overview }: Overview): Overview {
  return {
    ...overview,
    verdict: { ...verdict, findings: verdict.findings.slice(0, FIRST_NAMED) },
    sums: {
      ...sums,
      pauses: cut(sums.pauses),
      draining: cut(sums.draining),
      deserted: cut(sums.deserted),
    },
    queues: queues.slice(0, FIRST_QUEUES),
  };
}

const cut = <Item>({ total, named }: { total: number; named: Item[] }) => ({
  total,
  named: named.slice(0, FIRST_NAMED),
});
