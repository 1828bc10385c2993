'use client';
import { useEffect, useState } from 'react';
import type { Totals } from '@/lib/contract/queue';
import type { LabSums } from './sums';

const WINDOW_MS = 5_000;
export type FlowRates = Partial<Record<keyof Totals, number>>;

/** How fast each total grows, over the last five seconds of frames. */
export function useFlowRates(at: number, sums: LabSums): FlowRates {
  const [marks, setMarks] = useState<readonly { at: number; totals: Totals }[]>([]);
  const { totals } = sums;
  useEffect(() => {
    setMarks((before) =>
      before.at(-1)?.at === at
        ? before
        : [...before.filter((mark) => mark.at < at && at - mark.at <= WINDOW_MS), { at, totals }],
    );
  }, [at, totals]);
  const first = marks[0];
  const last = marks.at(-1);
  if (!first || !last || last.at <= first.at) return {};
  const seconds = (last.at - first.at) / 1_000;
  const rates: FlowRates = {};
  for (const key of Object.keys(last.totals) as (keyof Totals)[])
    rates[key] = Math.max(0, (last.totals[key] - first.totals[key]) / seconds);
  return rates;
}
