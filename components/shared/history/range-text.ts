/** What time a chart covers, in words; pure. */
import type { History } from '@/lib/contract/history/history-schemas';
import { timeLabels } from './time-axis';

const MINUTE_MS = 60_000;
type Covered = Pick<History, 'from' | 'to' | 'stepMs'> & { readonly latest: { readonly at: number } | null };

/** The words of the charts: where they end, or both ends of a part that was chosen. */
export function rangeText({ from, to, stepMs, latest }: Covered, isZoomed: boolean, zone: string): string {
  const { readout, moment } = timeLabels(from, to, zone);
  if (isZoomed) return `From ${readout(from)} to ${readout(to)}.`;
  if (latest) return `Up to ${moment(latest.at)}: the last point is of the 60 seconds before it.`;
  return `Up to ${readout(to)}, the last whole ${stepText(stepMs)}.`;
}

export const stepText = (stepMs: number): string =>
  stepMs === MINUTE_MS ? 'minute' : `${stepMs / MINUTE_MS} minutes`;
