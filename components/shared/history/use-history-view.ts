'use client';
import { parseAsBoolean, parseAsInteger, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useNow } from '@/components/ui/text/clock-provider';
import { RANGE_NAMES, RANGES, type RangeName } from '@/lib/contract/history/history-ranges';

const MINUTE_MS = 60_000;
const LOOK_EVERY_MS = 10_000;

/** The range of the charts, held by the URL: a name, or a zoomed part with its ends. */
export function useHistoryView() {
  const [{ range, from, to, marks }, set] = useQueryStates(
    {
      range: parseAsStringLiteral(RANGE_NAMES).withDefault('1h'),
      from: parseAsInteger,
      to: parseAsInteger,
      marks: parseAsBoolean.withDefault(true),
    },
    { history: 'replace' },
  );
  const minute = Math.floor(useNow(LOOK_EVERY_MS) / MINUTE_MS) * MINUTE_MS;
  const isZoomed = from !== null && to !== null && to > from;
  return {
    range,
    from: isZoomed ? from : minute - RANGES[range].ms,
    to: isZoomed ? to : minute,
    isZoomed,
    showsMarks: marks,
    choose: (name: RangeName) => void set({ range: name, from: null, to: null }),
    zoom: (start: number, end: number) => void set({ from: start, to: end }),
    reset: () => void set({ from: null, to: null }),
    toggleMarks: () => void set({ marks: !marks }),
  };
}
