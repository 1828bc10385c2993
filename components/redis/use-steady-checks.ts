import { useState } from 'react';
import type { RedisCheckResult } from '@/lib/contract/redis/redis-check-schemas';
import { CHECK_VERDICTS } from '@/lib/contract/redis/redis-check-verdicts';

export interface SteadyCheck extends RedisCheckResult {
  /** What was to be done until it was: the row keeps the room of it. */
  readonly pastFix: string | null;
}
type Places = ReadonlyMap<string, string | null>;

/** Worst first as of when the page was opened: a check that gets worse or better stays in its place, and moves no other. */
export function useSteadyChecks(checks: readonly RedisCheckResult[]): readonly SteadyCheck[] {
  // By id, in the order of the page: the latest fix.
  const [places, setPlaces] = useState<Places>(() => placesOf(checks, new Map()));
  const next = placesOf(checks, places);
  if (next !== places) setPlaces(next);
  const byId = new Map(checks.map((check) => [check.id, check]));
  return [...next].flatMap(([id, fix]) => {
    const check = byId.get(id);
    return check ? { ...check, pastFix: check.fix === null ? fix : null } : [];
  });
}

/** The same places if nothing is new. */
export function placesOf(checks: readonly RedisCheckResult[], before: Places): Places {
  const worstFirst = CHECK_VERDICTS.flatMap((verdict) => checks.filter((check) => check.verdict === verdict));
  const isNews = ({ id, fix }: RedisCheckResult) =>
    !before.has(id) || (fix !== null && fix !== before.get(id));
  if (!worstFirst.some(isNews)) return before;
  const places = new Map(before);
  for (const { id, fix } of worstFirst) places.set(id, fix ?? places.get(id) ?? null);
  return places;
}
