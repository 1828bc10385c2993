/** The past of queues, of which the principal sees everything: numbers of whole queues include all tenants. */
import { isFullScope } from '@/lib/contract/access/grant-scopes';
import { MARKS_MAX } from '@/lib/contract/history/history-ranges';
import type { History, HistoryMark, HistoryQuery, MarkRequest } from '@/lib/contract/history/history-schemas';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { getBroker } from '@/lib/server/console-broker';
import { getSampler } from '@/lib/server/live/sampler';
import { scopeOf } from '../principal';
import { requireEverywhere, requirePermission, requireWholeQueue } from '../require-permission';
import { isAlertVisible } from '../visible-alerts';
import { visibleSample } from '../visible-frame';
import { alertMarks } from './alert-marks';
import { intentId, type RequestContext, requestActor, requireQueue } from './request-context';

/** A user who sees some queues only: so many of them are added up, the first by name. */
const QUEUES_ADDED_UP = 50;

export function authorizedHistory(context: RequestContext) {
  const { principal } = context;
  const visible = async () => {
    const { overview, workers } = visibleSample(await getSampler().current(), scopeOf(principal, 'view'));
    return {
      queues: overview.queues.map(({ queue }) => queue).sort(),
      crashes: workers.workers.filter(({ status }) => status === 'crashed'),
    };
  };
  /** Of one queue, or all that the user may see. */
  const alerts = async (range: Pick<History, 'from' | 'to'>, queue?: string): Promise<HistoryMark[]> => {
    const within = scopeOf(principal, 'view');
    const fired = await getBroker().alerts.fired(range.from);
    const shown = fired.filter(
      (alert) => isAlertVisible(alert, within) && (queue === undefined || alert.queues.named.includes(queue)),
    );
    return alertMarks(shown, range);
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
        const crashes = (await visible()).crashes.filter(({ queues }) => Object.hasOwn(queues, queue));
        const marks = [...(await inspect.marks([queue], history)), ...(await alerts(history, queue))];
        return withMarks(history, marks, crashes);
      }
      requirePermission(principal, 'view');
      const { queues, crashes } = await visible();
      const all = isFullScope(scopeOf(principal, 'view'));
      const history = await inspect.history(all ? null : queues.slice(0, QUEUES_ADDED_UP), range);
      const marks = [...(await inspect.marks(queues, history)), ...(await alerts(history))];
      return withMarks({ ...history, busiest: [] }, marks, crashes);
    },
    /** A mark of all queues takes the permission for all of them. */
    async mark(mark: MarkRequest): Promise<HistoryMark> {
      if (mark.queues === undefined) requireEverywhere(principal, 'operate');
      for (const queue of mark.queues ?? []) {
        requireWholeQueue(principal, 'operate', queue);
        await requireQueue(queue);
      }
      return getBroker().marks.add(mark, requestActor(context), intentId(context) ?? undefined);
    },
  };
}

type Crash = Pick<Worker, 'workerId' | 'queues' | 'end'>;

/** Workers that were seen to crash, and steps in which runs were lost: neither is a change of a user's. */
function withMarks(
  history: Omit<History, 'marks'>,
  changes: readonly HistoryMark[],
  crashes: readonly Crash[],
): History {
  const marks = [...changes, ...lostRuns(history), ...crashMarks(history, crashes)];
  return { ...history, marks: marks.sort((a, b) => a.at - b.at).slice(-MARKS_MAX) };
}

function lostRuns({ from, stepMs, counts: { lost } }: Omit<History, 'marks'>): HistoryMark[] {
  return lost.flatMap((count, i): HistoryMark[] => {
    if (!count || lost[i - 1]) return [];
    const end = lost.findIndex((next, at) => at > i && !next);
    const runs = lost.slice(i, end < 0 ? undefined : end).reduce<number>((sum, n) => sum + (n ?? 0), 0);
    const text = runs === 1 ? '1 run was lost' : `${runs} runs were lost`;
    return [{ at: from + i * stepMs, kind: 'crash', text }];
  });
}

/** One a step: crash loops make many. */
function crashMarks({ from, to, stepMs }: Omit<History, 'marks'>, crashes: readonly Crash[]): HistoryMark[] {
  const bySteps = new Map<number, Crash[]>();
  for (const crash of crashes) {
    const at = crash.end?.at ?? 0;
    if (at < from || at >= to) continue;
    const step = Math.floor((at - from) / stepMs);
    bySteps.set(step, [...(bySteps.get(step) ?? []), crash]);
  }
  return [...bySteps.values()].map((alike) => {
    const causes = [...new Set(alike.map(({ end }) => end?.cause))].sort().join(', ');
    const [first] = alike;
    const text = alike.length === 1 ? `Worker ${first?.workerId} crashed` : `${alike.length} workers crashed`;
    const at = Math.min(...alike.map(({ end }) => end?.at ?? 0));
    return { at, kind: 'crash', text: causes === '' ? text : `${text} (${causes})` };
  });
}
