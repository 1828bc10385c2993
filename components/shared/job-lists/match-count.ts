import { fullNumber } from '@/lib/format/number';

export interface MatchCount {
  readonly count: number;
  readonly exact: boolean;
}

/** "48,211", "at least 20,000" when counting stopped at its budget. */
export const countLabel = ({ count, exact }: MatchCount): string =>
  `${exact ? '' : 'at least '}${fullNumber(count)}`;
