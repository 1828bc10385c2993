/** Whether Redis runs out of memory or fails to save its data: by the checks of page /redis, cheap enough to be asked all the time. */

import type { BrokerContext } from '../broker-context';
import { withDeadline } from '../call-deadline';
import { addressOf } from '../cluster-nodes';
import { isCluster } from '../server-check';
import { QUESTION_MS } from './ask-server';
import { DURABILITY_CHECKS, MEMORY_CHECKS } from './memory-checks';
import { NO_READINGS, pairsIn, type ServerReadings } from './server-readings';

export interface RedisTrouble {
  readonly check: 'memory' | 'aof' | 'snapshot';
  /** `host:port` of a node of a Cluster; null: the only server. */
  readonly node: string | null;
  readonly level: 'warn' | 'bad';
  readonly value: string;
  readonly fix: string;
}

/** What was set up so, such as no limit or no append-only file, is no trouble that arose. */
const APPLIES: Readonly<Record<RedisTrouble['check'], (info: ServerReadings['info']) => boolean>> = {
  memory: (info) => Number(info.get('maxmemory')) > 0,
  aof: (info) => info.get('aof_enabled') === '1',
  snapshot: () => true,
};

/** Of a Cluster each master; one that does not answer is left out. */
export const readRedisTrouble = (ctx: BrokerContext): Promise<RedisTrouble[]> =>
  ctx.plain(async (redis) => {
    const nodes = isCluster(redis)
      ? redis.nodes('master').map((node) => ({ name: addressOf(node), node }))
      : [{ name: null, node: redis }];
    const found = nodes.map(async ({ name, node }) => {
      const info = await withDeadline(node.info(), QUESTION_MS).catch(() => null);
      return info === null ? [] : troubleIn(pairsIn(String(info)), name);
    });
    return (await Promise.all(found)).flat();
  });

export function troubleIn(info: ServerReadings['info'], node: string | null): RedisTrouble[] {
  const readings = { ...NO_READINGS, info };
  return [...MEMORY_CHECKS, ...DURABILITY_CHECKS].flatMap(({ id, judge }) => {
    if (!isWatched(id) || !APPLIES[id](info)) return [];
    const judgement = judge(readings);
    if (judgement?.verdict !== 'warn' && judgement?.verdict !== 'bad') return [];
    return [{ check: id, node, level: judgement.verdict, value: judgement.value, fix: judgement.fix ?? '' }];
  });
}

const isWatched = (id: string): id is RedisTrouble['check'] => Object.hasOwn(APPLIES, id);
