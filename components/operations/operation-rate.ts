/** The rate of an operation, as a user types it and as the API takes it; pure. */
import { orInvalid } from '@/lib/browser/api/read-typed';
import { RATE_MAX_PER_SECOND } from '@/lib/contract/operations/operation-kinds';
import type { OperationRate } from '@/lib/contract/operations/operation-request';
import { fullNumber } from '@/lib/format/number';
import { parseNumber, parseRate, rateText } from '@/lib/format/parse-units';

export const RATE_MODES = [
  { value: 'fast', label: 'No limit' },
  { value: 'rate', label: 'Fixed rate' },
  { value: 'drain', label: 'Keep queue short' },
] as const;
export interface OperationRateDraft {
  mode: (typeof RATE_MODES)[number]['value'];
  rate: string;
  below: string;
}

export const UNLIMITED: OperationRateDraft = { mode: 'fast', rate: '50/s', below: '1,000' };

export const toRateDraft = ({ perSecond, keepReadyBelow }: OperationRate): OperationRateDraft => ({
  mode: keepReadyBelow !== null ? 'drain' : perSecond !== null ? 'rate' : 'fast',
  rate: perSecond === null ? UNLIMITED.rate : rateText(perSecond),
  below: keepReadyBelow === null ? UNLIMITED.below : fullNumber(keepReadyBelow),
});

export const toRate = ({ mode, rate, below }: OperationRateDraft): OperationRate => ({
  perSecond: mode === 'rate' ? orInvalid(parseRate(rate)) : null,
  keepReadyBelow: mode === 'drain' ? orInvalid(parseNumber(below)) : null,
});

/** A percentage as a share; invalid text is refused by the schema. */
export const toShare = (text: string): number => orInvalid(parseNumber(text.replace('%', ''))) / 100;

/** What to show for a rate or a limit that the API would refuse. */
export const RATE_SENTENCES = {
  'rate.perSecond': [
    'rate',
    `Give a rate such as 50/s or 600/min, at most ${fullNumber(RATE_MAX_PER_SECOND)}/s.`,
  ],
  'rate.keepReadyBelow': ['rate', 'Give a whole number of jobs from 1 to 10,000,000.'],
  'stop.maxDiedAgain': ['stopPercent', 'Give a percentage from 0 to 100.'],
} as const;

/** "no limit", "at most 50/s", "waits while 1,000 or more are ready". */
export function describeRate({ perSecond, keepReadyBelow }: OperationRate): string {
  const parts = [
    perSecond === null ? null : `at most ${rateText(perSecond)}`,
    keepReadyBelow === null ? null : `waits while ${fullNumber(keepReadyBelow)} or more are ready`,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(', ') : 'no limit';
}
