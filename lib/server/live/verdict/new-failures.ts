/** The failure groups that were first seen within the hour, for the verdict: searched for when jobs have died since. */
import type { GroupsPage } from '@/lib/contract/search/search-schemas';
import { HOUR_MS } from '@/lib/contract/time-units';
import { isNewFailure, type NewFailure, RECENT_FAILURES } from './failure-findings';

/** Without new deaths: a group may have got a name, or is no longer new. */
const READ_EVERY_MS = 60_000;
/** With new deaths: soon, so that the cause stands beside the first symptom. */
const SOON_MS = 5_000;
/** A search takes at most one part in so many of the time. */
const COST_SHARE = 30;

export class NewFailures {
  failures: readonly NewFailure[] = [];
  private nextAtMs = Number.NEGATIVE_INFINITY;
  private readAtMs = Number.NEGATIVE_INFINITY;
  private died = -1;
  private reading: Promise<void> | null = null;

  constructor(
    private readonly listGroups: (scope: { q: string }) => Promise<GroupsPage>,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** Searches if it is time. No reading needs to wait for it. @param died jobs that ever died */
  look(died: number): Promise<void> {
    const now = this.monotonicMs();
    const isDue = died !== this.died ? now >= this.nextAtMs : now - this.readAtMs >= READ_EVERY_MS;
    if (isDue) this.reading ??= this.read(died).finally(() => (this.reading = null));
    return this.reading ?? Promise.resolve();
  }

  /** A search that fails keeps the last answer. */
  private async read(died: number): Promise<void> {
    const startedAtMs = this.monotonicMs();
    const page = await this.listGroups({ q: RECENT_FAILURES }).catch(() => null);
    this.readAtMs = this.monotonicMs();
    this.nextAtMs = this.readAtMs + Math.max(SOON_MS, (this.readAtMs - startedAtMs) * COST_SHARE);
    this.died = died;
    if (!page) return;
    const isSampled = page.sampled !== null;
    const found = page.groups
      .filter((group) => isNewFailure(group, page.at))
      .map((group) => ({ ...group, isSampled }));
    this.failures = isSampled ? withKnown(found, page, this.failures) : found;
  }
}

/** A sample has the newest deaths: what an earlier reading counted stays, also of groups that the sample no longer has. */
function withKnown(
  found: readonly NewFailure[],
  { groups, at }: GroupsPage,
  before: readonly NewFailure[],
): NewFailure[] {
  const known = new Map(before.map((failure) => [failure.group, failure]));
  const listed = new Set(groups.map(({ group }) => group));
  const grown = found.map((failure) => {
    const earlier = known.get(failure.group);
    return earlier && earlier.count > failure.count
      ? { ...failure, count: earlier.count, queues: earlier.queues }
      : failure;
  });
  const gone = before.filter(({ group, firstSeen }) => !listed.has(group) && at - firstSeen < HOUR_MS);
  return [...grown, ...gone.map((failure) => ({ ...failure, lastHour: null, isSampled: true }))];
}
