/** What time a chart covers, in words; pure. */
import type { History } from '@/lib/contract/history/history-schemas';
import { timeLabels } from './time-axis';

const MINUTE_MS = 60_000;
type Covered = Pick<History, 'from' | 'to' | 'stepMs'>;

/** The words of the charts: where they end, or both ends of a part that was chosen. */
export function rangeText({ from, to, stepMs }: Covered, isZoomed: boolean, zone: string): string {
  const { readout } = timeLabels(from, to, zone);
  return isZoomed
    ? `From ${readout(from)} to ${readout(to)}.`
    : `Up to ${readout(to)}, the last whole ${stepText(stepMs)}.`;
}

export const stepText = (stepMs: number): string =>
  stepMs === MINUTE_MS ? 'minute' : `${stepMs / MINUTE_MS} minutes`;
