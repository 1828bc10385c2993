/** The past of queues, of which the principal sees everything: numbers of whole queues include all tenants. */
import { isFullScope } from '@/lib/contract/access/grant-scopes';
import { MARKS_MAX } from '@/lib/contract/history/history-ranges';
import type { History, HistoryMark, HistoryQuery } from '@/lib/contract/history/history-schemas';
import { getBroker } from '@/lib/server/console-broker';
import { getSampler } from '@/lib/server/live/sampler';
import { scopeOf } from '../principal';
import { requirePermission, requireWholeQueue } from '../require-permission';
import { visibleSample } from '../visible-frame';
import { type RequestContext, requireQueue } from './request-context';

/** A user who sees some queues only: so many of them are added up, the first by name. */
const QUEUES_ADDED_UP = 50;

export function authorizedHistory({ principal }: RequestContext) {
  const visibleQueues = async (): Promise<string[]> => {
    const { overview } = visibleSample(await getSampler().current(), scopeOf(principal, 'view'));
    return overview.queues.map(({ queue }) => queue).sort();
  };
  return {
    async read({ queue, type, tenant, ...range }: HistoryQuery): Promise<History> {
      const { inspect } = getBroker();
      if (queue !== undefined) {
        requireWholeQueue(principal, 'view', queue);
        await requireQueue(queue);
        const only =
          type !== undefined
            ? { kind: 'type' as const, name: type }
            : tenant !== undefined
              ? { kind: 'tenant' as const, name: tenant }
              : undefined;
        const history = await inspect.history([queue], range, only);
        return withMarks(history, await inspect.marks([queue], history));
      }
      requirePermission(principal, 'view');
      const queues = await visibleQueues();
      const all = isFullScope(scopeOf(principal, 'view'));
      const history = await inspect.history(all ? null : queues.slice(0, QUEUES_ADDED_UP), range);
      return withMarks({ ...history, busiest: [] }, await inspect.marks(queues, history));
    },
  };
}

/** Crashes are no change of a user's: the steps in which runs were lost show them. */
function withMarks(history: Omit<History, 'marks'>, changes: readonly HistoryMark[]): History {
  const { lost } = history.counts;
  const crashes = lost.flatMap((count, i): HistoryMark[] => {
    if (!count || lost[i - 1]) return [];
    const end = lost.findIndex((next, at) => at > i && !next);
    const runs = lost.slice(i, end < 0 ? undefined : end).reduce<number>((sum, n) => sum + (n ?? 0), 0);
    const text = runs === 1 ? '1 run was lost' : `${runs} runs were lost`;
    return [{ at: history.from + i * history.stepMs, kind: 'crash', text }];
  });
  const marks = [...changes, ...crashes].sort((a, b) => a.at - b.at);
  return { ...history, marks: marks.slice(-MARKS_MAX) };
}
