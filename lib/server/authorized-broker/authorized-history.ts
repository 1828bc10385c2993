/** The past of queues, of which the principal sees everything: numbers of whole queues include all tenants. */

import { isFullScope } from '@/lib/contract/access/grant-scopes';
import { keepFairly } from '@/lib/contract/access/keep-fairly';
import { MARKS_MAX } from '@/lib/contract/history/history-ranges';
import type {
  History,
  HistoryMark,
  HistoryQuery,
  LatestMinute,
  MarkRequest,
} from '@/lib/contract/history/history-schemas';
import { LIVE_STATUSES } from '@/lib/contract/workers/worker-limits';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { scopeOf } from '../authentication/principal';
import { requireEverywhere, requirePermission, requireWholeQueue } from '../authorization/require-permission';
import { asVisible, isAlertVisible } from '../authorization/visible-alerts';
import { getBroker } from '../console-broker';
import { latestMinute } from '../live/latest-minute';
import { getSampler } from '../live/sampler';
import { visibleSample } from '../live/visible-frame';
import { alertMarks } from './alert-marks';
import { intentId, type RequestContext, requestActor, requireQueue } from './request-context';

/** A user who sees some queues only: so many of them are added up, the first by name. */
const QUEUES_ADDED_UP = 50;
/** A range that ends with the minute of a viewer whose clock is late still ends now. */
const ENDS_NOW_MS = 120_000;

export function authorizedHistory(context: RequestContext) {
  const { principal } = context;
  const visible = async () => {
    const { overview, workers } = visibleSample(await getSampler().current(), scopeOf(principal, 'view'));
    return {
      queues: overview.queues.map(({ queue }) => queue).sort(),
      crashes: workers.workers.filter(({ status }) => status === 'crashed'),
      live: workers.workers.filter(({ status }) => LIVE_STATUSES.has(status)),
      isFresh: overview.fresh,
      now: overview.at,
    };
  };
  /** Of the named queues. */
  const latestOf = (queues: readonly string[], workers: number | null): LatestMinute | null => {
    const named = new Set(queues);
    return latestMinute(
      getSampler().readings.filter(({ queue }) => named.has(queue)),
      workers,
    );
  };
  /** Of one queue, or all that the user may see. */
  const alerts = async (range: Pick<History, 'from' | 'to'>, queue?: string): Promise<HistoryMark[]> => {
    const within = scopeOf(principal, 'view');
    const fired = await getBroker().alerts.fired(range.from);
    const shown = fired.filter(
      (alert) => isAlertVisible(alert, within) && (queue === undefined || alert.queues.named.includes(queue)),
    );
    return alertMarks(
      shown.map((alert) => asVisible(alert, within)),
      range,
    );
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
        const { crashes, live, isFresh, now } = await visible();
        const listens = ({ queues }: Pick<Worker, 'queues'>) => Object.hasOwn(queues, queue);
        const endsNow = isFresh && only === undefined && range.to > now - ENDS_NOW_MS;
        const latest = endsNow ? latestOf([queue], live.filter(listens).length) : null;
        const covered = { ...history, to: latest?.at ?? history.to };
        const marks = [...(await inspect.marks([queue], covered)), ...(await alerts(covered, queue))];
        return withMarks({ ...history, latest }, marks, crashes.filter(listens));
      }
      requirePermission(principal, 'view');
      const { queues, crashes, live, isFresh, now } = await visible();
      const all = isFullScope(scopeOf(principal, 'view'));
      const added = all ? queues : queues.slice(0, QUEUES_ADDED_UP);
      const history = await inspect.history(all ? null : added, range);
      const endsNow = isFresh && range.to > now - ENDS_NOW_MS;
      const latest = endsNow ? latestOf(added, all ? live.length : null) : null;
      const covered = { ...history, to: latest?.at ?? history.to };
      const marks = [...(await inspect.marks(queues, covered)), ...(await alerts(covered))];
      return withMarks({ ...history, latest, busiest: [] }, marks, crashes);
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
  const inOrder = marks.sort((a, b) => a.at - b.at);
  return { ...history, marks: [...keepFairly(inOrder, MARKS_MAX, ({ kind }) => kind)] };
}

const lostMark = (at: number, runs: number): HistoryMark => ({
  at,
  kind: 'crash',
  text: runs === 1 ? '1 run was lost' : `${runs} runs were lost`,
});

function lostRuns({ from, to, stepMs, counts: { lost }, latest }: Omit<History, 'marks'>): HistoryMark[] {
  const marks = lost.flatMap((count, i): HistoryMark[] => {
    if (!count || lost[i - 1]) return [];
    const end = lost.findIndex((next, at) => at > i && !next);
    const runs = lost.slice(i, end < 0 ? undefined : end).reduce<number>((sum, n) => sum + (n ?? 0), 0);
    return [lostMark(from + i * stepMs, runs)];
  });
  // Its seconds overlap the last step: only where that lost none they began now.
  if (latest && latest.counts.lost > 0 && !lost.at(-1)) marks.push(lostMark(to, latest.counts.lost));
  return marks;
}

/** One a step: crash loops make many. */
function crashMarks(
  { from, to, stepMs, latest }: Omit<History, 'marks'>,
  crashes: readonly Crash[],
): HistoryMark[] {
  const end = latest?.at ?? to;
  const bySteps = new Map<number, Crash[]>();
  for (const crash of crashes) {
    const at = crash.end?.at ?? 0;
    if (at < from || at > end) continue;
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
