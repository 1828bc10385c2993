/** Ticks and labels of axes: times by the clock of a zone, and durations; pure. */
import { absoluteLocal } from '@/lib/format/date-time';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** Lengths that clocks are read in. */
const STEPS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 240, 360, 720, 1_440, 2_880].map(
  (minutes) => minutes * MINUTE_MS,
);
/** As many labels as the narrowest chart has room for. */
const TICKS_MAX = 6;

/** What a clock of the zone shows, as if it were UTC. */
function wallClock(at: number, zone: string): number {
  const text = absoluteLocal(at, zone);
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19)}Z`);
}

const stepOf = (from: number, to: number): number =>
  STEPS_MS.find((step) => (to - from) / step <= TICKS_MAX) ?? 2 * DAY_MS;

/** Round times between the two, at most seven of up to twelve days. */
export function timeTicks(from: number, to: number, zone: string): number[] {
  const step = stepOf(from, to);
  const ticks: number[] = [];
  const start = wallClock(from, zone);
  for (let wall = Math.ceil(start / step) * step; ; wall += step) {
    const guess = from + (wall - start);
    // Clocks may have been put forward or back since the start.
    const tick = guess + wall - wallClock(guess, zone);
    if (tick > to) return ticks;
    ticks.push(tick);
  }
}

/** Labels of ticks and of the readout: days where the range is longer than one. */
export function timeLabels(from: number, to: number, zone: string) {
  const long = to - from > DAY_MS;
  const day = { day: 'numeric', month: 'short' } as const;
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone });
    return (at: number) => formatter.format(at);
  };
  return {
    tick: format(stepOf(from, to) >= DAY_MS ? day : clock),
    readout: format(long ? { ...day, ...clock } : clock),
    clock: format(clock),
    moment: format({ ...clock, second: '2-digit' }),
  };
}

const DURATION_STEPS_MS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...STEPS_MS,
];

/** Round durations from zero to at least `max`, at most five. */
export function durationTicks(max: number): number[] {
  const step = DURATION_STEPS_MS.find((length) => max / length <= 4) ?? Math.ceil(max / 4 / DAY_MS) * DAY_MS;
  const count = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}
