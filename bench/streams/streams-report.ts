import { metOrMissed, number, tableOf } from '../harness/bench-report';
import { type Stamp, stampLine } from '../harness/machine';
import type { Viewed } from './viewers';

const MEGABYTE = 1_000_000;
/** The most; a silence is between two events of one stream, which come every second. */
export const BARS = {
  cores: 0.5,
  grownBytes: 200 * MEGABYTE,
  silenceMs: 2_000,
  idleBytesPerSecond: 2_000,
  overviewBytes: 60_000,
  overviewMs: 3,
} as const;

export interface Phase {
  viewed: Viewed;
  /** Processor time of the console, and of Redis, as shares of a core. */
  cores: number;
  redisCores: number;
  /** Memory of the console beyond what it took before the streams opened: the most, and at the end. */
  grownBytes: { peak: number; end: number };
}

/** `cpuUs`: processor time of the console, with what it does besides. */
export interface MeasuredGet {
  bytes: number;
  p50Ms: number;
  p99Ms: number;
  cpuUs: number;
}

export interface StreamsReport extends Stamp {
  queues: number;
  streams: number;
  seconds: number;
  overview: MeasuredGet;
  /** Of a route that does nothing. */
  floor: MeasuredGet;
  idle: Phase;
  busy: Phase;
  met: boolean;
}

type Row = [what: string, measured: string, bar: string, isMet: boolean];

function rowsOf({ overview, idle, busy }: Omit<StreamsReport, 'met' | keyof Stamp>): Row[] {
  const phase = (name: string, { viewed, cores, grownBytes }: Phase): Row[] => [
    [
      `${name}: longest silence of a stream`,
      `${number(viewed.longestSilenceMs)} ms`,
      `≤ ${number(BARS.silenceMs)} ms`,
      viewed.longestSilenceMs <= BARS.silenceMs,
    ],
    [
      `${name}: processor time of the console`,
      `${number(cores)} of a core`,
      `≤ ${BARS.cores}`,
      cores <= BARS.cores,
    ],
    [
      `${name}: memory of the console, beyond that without streams`,
      `${megabytes(grownBytes.peak)} at most, ${megabytes(grownBytes.end)} at the end`,
      `≤ ${megabytes(BARS.grownBytes)}`,
      grownBytes.peak <= BARS.grownBytes,
    ],
  ];
  return [
    [
      '`GET /api/v1/queues`, uncompressed',
      `${number(overview.bytes)} bytes`,
      `≤ ${number(BARS.overviewBytes)}`,
      overview.bytes <= BARS.overviewBytes,
    ],
    [
      '`GET /api/v1/queues`, one after another',
      `p50 ${number(overview.p50Ms)} ms, p99 ${number(overview.p99Ms)} ms, ${number(overview.cpuUs / 1_000)} ms of the processor`,
      `p50 ≤ ${BARS.overviewMs} ms`,
      overview.p50Ms <= BARS.overviewMs,
    ],
    [
      'nothing happens: bytes a second of one stream',
      number(idle.viewed.bytesPerSecond),
      `≤ ${number(BARS.idleBytesPerSecond)}`,
      idle.viewed.bytesPerSecond <= BARS.idleBytesPerSecond,
    ],
    ...phase('nothing happens', idle),
    ...phase('a job a second in every queue', busy),
  ];
}

export const allMet = (report: Omit<StreamsReport, 'met' | keyof Stamp>): boolean =>
  rowsOf(report).every(([, , , isMet]) => isMet);

export function streamsMarkdown(report: StreamsReport): string {
  const { queues, streams, seconds, floor, busy, idle, met } = report;
  return [
    '# Results of `npm run bench:streams`',
    stampLine(report),
    `**${met ? 'All bars are met' : 'A bar is missed'}.**`,
    `One built console, ${number(queues)} queues and ${number(streams)} event streams of signed-in users, all in one machine with their reader. First nothing happens in any queue for ${number(seconds)} seconds, then for as long every queue gets a job a second.`,
    tableOf(
      ['what', 'measured', 'bar', ''],
      rowsOf(report).map(([what, measured, bar, isMet]) => [what, measured, bar, metOrMissed(isMet)]),
    ),
    `Besides: \`GET /healthz\`, which does nothing, took p50 ${number(floor.p50Ms)} ms and ${number(floor.cpuUs / 1_000)} ms of the processor in the same way; ${number(busy.viewed.bytesPerSecond)} bytes a second of one stream while all queues change; Redis took ${number(idle.redisCores)} and ${number(busy.redisCores)} of a core, with the jobs that were enqueued.`,
  ].join('\n\n');
}

const megabytes = (bytes: number): string => `${number(bytes / MEGABYTE)} MB`;
