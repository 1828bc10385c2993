/** Marks in the charts: when an alert fired, and when it was over. Pure. */
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import type { HistoryMark } from '@/lib/contract/history/history-schemas';
import { duration } from '@/lib/format/duration';

/** @param alerts that fired, and that the reader of the chart may see */
export function alertMarks(
  alerts: readonly Alert[],
  { from, to }: { readonly from: number; readonly to: number },
): HistoryMark[] {
  return alerts
    .flatMap(({ code, sentence, firedSentence = sentence, seenAt, firedAt, endedAt }): HistoryMark[] => {
      if (firedAt === null) return [];
      const fired: HistoryMark = { at: firedAt, kind: 'alert', text: `Alert ${code}: ${firedSentence}` };
      if (endedAt === null) return [fired];
      // Of the trouble, as in lists: the alert fired when that had lasted for a while.
      const text = `Alert ${code} ended after ${duration(endedAt - seenAt)}`;
      return [fired, { at: endedAt, kind: 'alert', text }];
    })
    .filter(({ at }) => at >= from && at < to);
}
