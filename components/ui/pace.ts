/** How fast something goes, as a person writes it and as the API takes it; pure. */
import { full } from '@/lib/format/number';
import { parseNumber, parseRate, rateText } from '@/lib/format/parse';

export interface Pace {
  ratePerSecond: number | null;
  keepReadyBelow: number | null;
}
export type PaceMode = 'fast' | 'rate' | 'drain';
export interface PaceDraft {
  mode: PaceMode;
  rate: string;
  below: string;
}
export const PACE_MODES = [
  { value: 'fast', label: 'As fast as it goes' },
  { value: 'rate', label: 'At a fixed rate' },
  { value: 'drain', label: 'As the queue drains' },
] as const satisfies readonly { value: PaceMode; label: string }[];

export const FAST: PaceDraft = { mode: 'fast', rate: '50/s', below: '1,000' };
const RATE_MAX = 100_000;
const BELOW_MAX = 10_000_000;

export function paceDraftOf({ ratePerSecond, keepReadyBelow }: Pace): PaceDraft {
  return {
    mode: keepReadyBelow !== null ? 'drain' : ratePerSecond !== null ? 'rate' : 'fast',
    rate: ratePerSecond === null ? FAST.rate : rateText(ratePerSecond),
    below: keepReadyBelow === null ? FAST.below : full(keepReadyBelow),
  };
}

/** `pace` is null while a field that counts cannot be read; the error says what it takes. */
export function readPace(draft: PaceDraft): { pace: Pace | null; error: string | null } {
  if (draft.mode === 'fast') return { pace: { ratePerSecond: null, keepReadyBelow: null }, error: null };
  if (draft.mode === 'rate') {
    const rate = parseRate(draft.rate);
    if (rate === undefined || rate <= 0 || rate > RATE_MAX)
      return { pace: null, error: `Give a rate such as 50/s or 600/min, at most ${full(RATE_MAX)}/s.` };
    return { pace: { ratePerSecond: rate, keepReadyBelow: null }, error: null };
  }
  const below = parseNumber(draft.below);
  if (below === undefined || !Number.isInteger(below) || below < 1 || below > BELOW_MAX)
    return { pace: null, error: `Give a whole number of jobs from 1 to ${full(BELOW_MAX)}.` };
  return { pace: { ratePerSecond: null, keepReadyBelow: below }, error: null };
}

/** "as fast as Redis takes it", "at most 50/s", "while fewer than 1,000 are ready". */
export function paceWords({ ratePerSecond, keepReadyBelow }: Pace): string {
  const parts = [
    ratePerSecond === null ? null : `at most ${rateText(ratePerSecond)}`,
    keepReadyBelow === null ? null : `while fewer than ${full(keepReadyBelow)} are ready`,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(', ') : 'as fast as Redis takes it';
}
