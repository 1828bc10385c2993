import type { BrokerContext } from '../context';
import { list, text } from '../reply';
import type { DeadQuery } from './filter';

/** How many index entries a count of several facets may look at before it says "at least". */
export const COUNT_BUDGET = 50_000;
/** Candidates a script looks at: with three facets to probe, under a millisecond. */
export const SCAN_STEP = 250;

/** How many of one term match; null = all. Two ranks, whatever the size. */
export async function countTerm(
  ctx: BrokerContext,
  queue: string,
  term: string | null,
  query: DeadQuery,
): Promise<number> {
  return Number(await ctx.run('dead-count', queue, [term ?? '', query.since, query.until]));
}

/** The terms with the fewest matches first: the first drives a scan, the rest are probed. */
export async function bySelectivity(
  ctx: BrokerContext,
  queue: string,
  query: DeadQuery,
): Promise<{ term: string; count: number }[]> {
  const counted = await Promise.all(
    query.terms.map(async (term) => ({ term, count: await countTerm(ctx, queue, term, query) })),
  );
  return counted.sort((a, b) => a.count - b.count);
}

/** How many match. Exact for up to one facet of any size; for several, exact within the budget, else a lower bound. */
export async function countDead(
  ctx: BrokerContext,
  queue: string,
  query: DeadQuery,
  budget: number = COUNT_BUDGET,
): Promise<{ count: number; exact: boolean }> {
  if (query.until < query.since) return { count: 0, exact: true };
  if (query.terms.length === 0) return { count: await countTerm(ctx, queue, null, query), exact: true };
  const [driver, ...others] = await bySelectivity(ctx, queue, query);
  if (!driver || driver.count === 0 || others.length === 0) return { count: driver?.count ?? 0, exact: true };
  let cursor = '';
  let count = 0;
  for (let scanned = 0; scanned < budget; ) {
    const reply = list(
      await ctx.run('dead-scan', queue, [
        driver.term,
        query.since,
        query.until,
        cursor,
        SCAN_STEP,
        0,
        ...others.map((o) => o.term),
      ]),
      'dead-scan',
    );
    scanned += Number(reply[1]);
    count += Number(reply[2]);
    cursor = text(reply[0]);
    if (cursor === '') return { count, exact: true };
  }
  return { count, exact: false };
}
