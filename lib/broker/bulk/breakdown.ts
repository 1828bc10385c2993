/** Counting looked-at jobs by what they have in common. Pure. */
import { AGE_BUCKETS, FACET_MAX_VALUES, type FacetValue } from '@/lib/contract/dead';
import { errorClassSchema } from '@/lib/contract/failures';
import { CLASS_SAFETY, type Preview, type SkipReason } from '@/lib/contract/operations';
import type { Looked } from './look';

const HOUR_MS = 3_600_000;
/** Upper ends of AGE_BUCKETS, in their order. */
const AGE_ENDS_MS = [5 * 60_000, HOUR_MS, 24 * HOUR_MS, 7 * 24 * HOUR_MS, Number.POSITIVE_INFINITY];

export function breakdownOf(looked: readonly Looked[], at: number): Preview['breakdown'] {
  const by = (value: (one: Looked) => string | null) => counted(looked.map(value));
  const ages = counted(
    looked.map(
      ({ facts }) => AGE_BUCKETS[AGE_ENDS_MS.findIndex((end) => at - facts.enteredAt <= end)]?.value ?? null,
    ),
  );
  return {
    queue: by(({ place }) => place.queue),
    type: by(({ facts }) => facts.type),
    code: by(({ facts }) => facts.code),
    class: by(({ facts }) => facts.class),
    tenant: by(({ facts }) => facts.tenant),
    age: AGE_BUCKETS.map(({ value }) => ages.find((one) => one.value === value) ?? { value, count: 0 }),
  };
}

export function skipsOf(looked: readonly Looked[]): Partial<Record<SkipReason, number>> {
  const skips: Partial<Record<SkipReason, number>> = {};
  for (const { skip } of looked) if (skip) skips[skip] = (skips[skip] ?? 0) + 1;
  return skips;
}

/** What the classes among them say, most jobs first. */
export function adviceOf(classes: readonly FacetValue[]): Preview['advice'] {
  return classes.flatMap(({ value, count }) => {
    const known = errorClassSchema.safeParse(value).data;
    if (known === undefined || count === 0) return [];
    const { safety, sentence } = CLASS_SAFETY[known];
    return [{ class: known, count, safety, sentence }];
  });
}

/** Most first, then by name. */
export function counted(values: readonly (string | null)[]): FacetValue[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, FACET_MAX_VALUES);
}
