/** What is true of matches, by everything stored of them. */
import { hasJob, type Within } from '@/lib/contract/permissions';
import type { JobFacts } from '@/lib/contract/query';
import type { Redaction } from '@/lib/contract/redaction';
import type { JobState } from '@/lib/contract/states';
import type { BrokerContext } from '../context';
import { redactionIn } from '../redaction';
import { grouped } from '../sharded/fan-out';
import { askPlaces, type Place } from '../sharded/places';
import { factsOf, storedJobs } from './facts';
import type { Entry } from './merge';

/** Each may bring large payloads. */
const PLACES_AT_ONCE = 2;

/** Without those that vanished meanwhile, or cannot be read. @param payloads whether their payloads are wanted, without what is hidden */
export async function factsOfEntries(
  ctx: BrokerContext,
  state: JobState,
  entries: readonly Entry[],
  { payloads = false, within }: { payloads?: boolean; within?: Within | undefined } = {},
): Promise<{ place: Place; facts: JobFacts }[]> {
  const groups = grouped(entries, (entry) => entry.place.name);
  const places = [...groups.values()].flatMap(({ items: [first] }) => first?.place ?? []);
  const { found } = await askPlaces(places, PLACES_AT_ONCE, async (place) => {
    const hides: Redaction | null = payloads ? await redactionIn(ctx, place.queue, place.name) : null;
    const here = groups.get(place.name)?.items ?? [];
    const stored = await storedJobs(
      ctx,
      place.name,
      here.map((entry) => entry.jobId),
    );
    return here.flatMap((entry, i) => {
      const job = stored[i];
      if (!job || job.row.length === 0) return [];
      const facts = factsOf(place.queue, state, entry, job, hides);
      // Another job may have taken its id since it was found.
      return within && !hasJob(within, place.queue, facts.tenant) ? [] : [{ place, facts }];
    });
  });
  return found.flatMap(({ value }) => value);
}
