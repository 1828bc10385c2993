/** What is true of matches, by everything stored of them. */
import type { JobFacts } from '@/lib/contract/query';
import type { JobState } from '@/lib/contract/states';
import type { BrokerContext } from '../context';
import { grouped } from '../sharded/fan-out';
import { askPlaces, type Place } from '../sharded/places';
import { factsOf, storedJobs } from './facts';
import type { Entry } from './merge';

/** Each may bring large payloads. */
const PLACES_AT_ONCE = 2;

/** Without those that vanished meanwhile, or cannot be read. */
export async function factsOfEntries(
  ctx: BrokerContext,
  state: JobState,
  entries: readonly Entry[],
): Promise<{ place: Place; facts: JobFacts }[]> {
  const groups = grouped(entries, (entry) => entry.place.name);
  const places = [...groups.values()].flatMap(({ items: [first] }) => first?.place ?? []);
  const { found } = await askPlaces(places, PLACES_AT_ONCE, async (place) => {
    const here = groups.get(place.name)?.items ?? [];
    const stored = await storedJobs(
      ctx,
      place.name,
      here.map((entry) => entry.jobId),
    );
    return here.flatMap((entry, i) => {
      const job = stored[i];
      return job && job.row.length > 0 ? [{ place, facts: factsOf(place.queue, state, entry, job) }] : [];
    });
  });
  return found.flatMap(({ value }) => value);
}
