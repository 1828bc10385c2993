import type { DeadFacets } from '@/lib/contract/dead';
import type { BrokerContext } from '../context';
import { queueNames } from '../inspect/snapshot';
import { list, text } from '../reply';

const FACETS = ['type', 'tenant', 'code', 'class'] as const;
/** Values shown per facet; more exist only for tenants and codes, and the filter takes any of them. */
export const FACET_MAX_VALUES = 200;

/** The values of each facet with exact counts, most first. Costs the number of values, not of dead letters. */
export async function deadFacets(ctx: BrokerContext, queue?: string): Promise<DeadFacets> {
  const queues = queue === undefined ? await queueNames(ctx) : [queue];
  const counts = new Map<string, Map<string, number>>(
    ['queue', ...FACETS].map((facet) => [facet, new Map()]),
  );
  const add = (facet: string, value: string, count: number) => {
    const values = counts.get(facet);
    if (count > 0) values?.set(value, (values.get(value) ?? 0) + count);
  };
  await Promise.all(
    queues.map(async (name) => {
      const reply = list(await ctx.run('dead-facets', name, [FACET_MAX_VALUES, ...FACETS]), 'dead-facets');
      let inQueue = 0;
      for (let i = 0; i + 2 < reply.length; i += 3) {
        add(text(reply[i]), text(reply[i + 1]), Number(reply[i + 2]));
        if (text(reply[i]) === 'class') inQueue += Number(reply[i + 2]);
      }
      add('queue', name, inQueue);
    }),
  );
  const sorted = (facet: string) =>
    [...(counts.get(facet) ?? [])]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, FACET_MAX_VALUES);
  return {
    queue: sorted('queue'),
    type: sorted('type'),
    tenant: sorted('tenant'),
    code: sorted('code'),
    class: sorted('class'),
  };
}
