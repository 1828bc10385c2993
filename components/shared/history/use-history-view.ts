'use client';
import { useMemo } from 'react';
import { urlFlag, urlInteger, urlOneOf, useUrlState, withFallback } from '@/components/shared/url-state';
import { useNow } from '@/components/ui/text/clock-provider';
import { RANGE_NAMES, RANGES, type RangeName } from '@/lib/contract/history/history-ranges';

const MINUTE_MS = 60_000;
const LOOK_EVERY_MS = 10_000;

const PARSERS = {
  range: withFallback(urlOneOf(RANGE_NAMES), '1h'),
  from: urlInteger,
  to: urlInteger,
  marks: withFallback(urlFlag, true),
};

/** The range of the charts, held by the URL: a name, or a zoomed part with its ends. */
export function useHistoryView() {
  const [{ range, from, to, marks }, set] = useUrlState(PARSERS);
  const minute = Math.floor(useNow(LOOK_EVERY_MS) / MINUTE_MS) * MINUTE_MS;
  const isZoomed = from !== null && to !== null && to > from;
  // The charts draw anew when they get another function.
  const actions = useMemo(
    () => ({
      choose: (name: RangeName) => set({ range: name, from: null, to: null }),
      zoom: (start: number, end: number) => set({ from: start, to: end }),
      reset: () => set({ from: null, to: null }),
    }),
    [set],
  );
  return {
    ...actions,
    range,
    from: isZoomed ? from : minute - RANGES[range].ms,
    to: isZoomed ? to : minute,
    isZoomed,
    showsMarks: marks,
    toggleMarks: () => set({ marks: !marks }),
  };
}
