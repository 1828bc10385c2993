/** Failure groups that were first seen within the hour, as a finding: jobs began to die of something new. */
import { ALERT_QUEUES_MAX } from '@/lib/contract/alerts/alert-limits';
import type { Verdict } from '@/lib/contract/queues/queue-schemas';
import type { Group, GroupsPage } from '@/lib/contract/search/search-schemas';
import { HOUR_MS } from '@/lib/contract/time-units';
import { count } from '@/lib/format/plural';

type Finding = Verdict['findings'][number];

/** A search of all dead letters of an hour costs more than the rest of a look. */
const READ_EVERY_MS = 60_000;
const RECENT = 'age:<1h';

export class NewFailures {
  private readAtMs = Number.NEGATIVE_INFINITY;
  private findings: Finding[] = [];

  constructor(
    private readonly listGroups: (scope: { q: string }) => Promise<GroupsPage>,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** At most a minute old. A search that fails keeps the last answer. */
  async read(): Promise<readonly Finding[]> {
    if (this.monotonicMs() - this.readAtMs < READ_EVERY_MS) return this.findings;
    this.readAtMs = this.monotonicMs();
    const page = await this.listGroups({ q: RECENT }).catch(() => null);
    if (page) this.findings = newFailureFindings(page);
    return this.findings;
  }
}

/** One finding for all of them. A group whose status a user changed is no longer new. */
export function newFailureFindings({ at, groups }: Pick<GroupsPage, 'at' | 'groups'>): Finding[] {
  const fresh = groups
    .filter(
      ({ firstSeen, status, changedAt }) =>
        at - firstSeen < HOUR_MS && status === 'open' && changedAt === null,
    )
    .sort((a, b) => b.count - a.count);
  const [first] = fresh;
  if (!first) return [];
  const queues = [...new Set(fresh.flatMap((group) => group.queues.map(({ value }) => value)))].sort();
  const isOne = fresh.length === 1;
  const died = fresh.reduce((sum, group) => sum + group.count, 0);
  return [
    {
      id: 'NEW_FAILURE',
      level: 'warn',
      code: 'NEW_FAILURE',
      queue: queues.length === 1 ? (queues[0] ?? null) : null,
      queues: { total: queues.length, named: queues.slice(0, ALERT_QUEUES_MAX) },
      sentence: isOne
        ? `${count(died, 'job')} died of a new failure in the last hour: ${nameOf(first)}.`
        : `${count(died, 'job')} died of ${fresh.length} new failures in the last hour, ${count(first.count, 'job')} of ${nameOf(first)}.`,
      evidence: { page: 'dead', q: isOne ? `group:${first.group}` : RECENT },
      actions: [],
    },
  ];
}

/** Never its message, which can quote a payload. */
const nameOf = ({ type, class: errorClass, code }: Group): string => `${type} ${code} (${errorClass})`;
