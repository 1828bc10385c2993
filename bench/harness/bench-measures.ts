/** Everything that is measured: its name, its unit, which way is better, and the bar we hold ourselves to. */
import { SIDES, type SideName } from '../sides/bench-side';

export interface Bar {
  /** Of our value as a multiple of BullMQ's in the same round, or of our value itself. */
  readonly of: 'ratio' | 'value';
  readonly value: number;
}
export interface Measure {
  readonly name: string;
  readonly title: string;
  readonly unit: 'jobs/s' | 'ms' | 'µs' | 'bytes' | 's' | 'operations/s';
  readonly better: 'more' | 'less';
  readonly bar: Bar | null;
  /** Which part of the bench measures it; some parts measure several at once. */
  readonly cell: string;
  readonly sides: readonly SideName[];
}

const ratio = (value: number): Bar => ({ of: 'ratio', value });
const value = (limit: number): Bar => ({ of: 'value', value: limit });

type Row = [name: string, title: string, bar: Bar | null, cell: string, sides?: readonly SideName[]];
const table = (unit: Measure['unit'], better: Measure['better'], rows: Row[]): Measure[] =>
  rows.map(([name, title, bar, cell, sides = SIDES]) => ({ name, title, unit, better, bar, cell, sides }));

/** The default lease, and a second for whoever looks for leases that ran out. */
const LEASE_AND_A_SECOND_S = 16;
const RECOVERING: readonly SideName[] = ['ours', 'bullmq', 'beeQueue'];
const OURS: readonly SideName[] = ['ours'];

export const MEASURES: readonly Measure[] = [
  ...table('jobs/s', 'more', [
    ['enqueue-single', 'enqueue one by one, 100 in flight', ratio(2.8), 'life'],
    ['enqueue-bulk', 'enqueue 1,000 a call', ratio(5), 'bulk'],
    ['run-c100', 'run no-op jobs, concurrency 100', ratio(3.8), 'life'],
    ['run-c10', 'run no-op jobs, concurrency 10', ratio(2.4), 'run-c10'],
    ['run-c1', 'run no-op jobs, concurrency 1', ratio(1.6), 'run-c1'],
    ['run-c100-5ms', 'run jobs of 5 ms, concurrency 100', ratio(1.4), 'run-c100-5ms'],
    ['run-2x100', 'two processes × concurrency 100', ratio(5.2), 'run-2x100'],
  ]),
  ...table('ms', 'less', [
    ['pickup-p50', 'pickup on an idle queue, p50', ratio(0.8), 'pickup'],
    ['pickup-p99', 'pickup on an idle queue, p99', ratio(0.8), 'pickup'],
  ]),
  ...table('µs', 'less', [
    ['redis-cpu-us-per-job', 'Redis CPU a job, enqueue to ack', ratio(0.28), 'life'],
    ['client-us-c100', 'client CPU of a run, concurrency 100', value(8), 'life'],
    ['redis-us-c100', 'Redis CPU of a run, concurrency 100', value(11), 'life'],
    ['cpu-us-c1', 'client and Redis CPU of a run, concurrency 1', value(150), 'run-c1'],
  ]),
  ...table('bytes', 'less', [
    ['bytes-waiting-job', 'memory of a waiting job', ratio(0.8), 'bulk'],
    ['log-bytes-per-job', 'append-only file a job, enqueue to ack', null, 'life'],
  ]),
  ...table('s', 'less', [
    ['recovery-supervised', 'back at work after kill -9, supervised', value(1.5), 'recovery', RECOVERING],
    [
      'recovery-unsupervised',
      'back at work after kill -9, alone',
      value(LEASE_AND_A_SECOND_S),
      'recovery',
      RECOVERING,
    ],
  ]),
  ...table('ms', 'less', [
    ['single-behind-crowd', "one tenant's job behind 100,000 of another, in order", null, 'crowd', OURS],
    ['single-behind-crowd-fair', 'the same with fair: tenant', null, 'crowd', OURS],
  ]),
  ...table('jobs/s', 'more', [
    ['run-crowd', 'run the crowd, concurrency 100, in order', null, 'crowd', OURS],
    ['run-crowd-fair', 'the same with fair: tenant', null, 'crowd', OURS],
  ]),
];
