import type { Machine } from '../harness/machine';
import { number, tableOf } from '../harness/report';

/** Of a core, for each of the two. */
export const IDLE_SHARE_BAR = 0.02;
/** After the end of a lease. */
export const RECLAIM_BAR_MS = 5_000;

export interface QueuesReport {
  machine: Machine;
  versions: Record<string, string>;
  at: string;
  queues: number;
  leases: number;
  seconds: number;
  /** Shares of a core. */
  console: number;
  redis: number;
  /** How long after its end a lease was seen to be back. */
  lateMs: { median: number; worst: number };
  met: boolean;
}

export function queuesMarkdown(report: QueuesReport): string {
  const { machine, versions, at, queues, leases, seconds, lateMs, met } = report;
  const share = (name: string, value: number) => [
    name,
    `${(value * 100).toFixed(2)} % of a core`,
    `≤ ${IDLE_SHARE_BAR * 100} %`,
    value <= IDLE_SHARE_BAR ? 'met' : '**missed**',
  ];
  return [
    '# Results of `npm run bench:queues`',
    `${at.slice(0, 16).replace('T', ' ')} UTC. ${machine.cores} cores of ${machine.processor}, ${machine.memoryGiB} GiB, ${machine.system}. redrive ${versions.redrive}, redis ${versions.redis}, node ${versions.node}.`,
    `**${met ? 'All bars are met' : 'A bar is missed'}.**`,
    `One built console and ${number(queues)} queues, each with a job that falls due in a day. No worker runs, and nobody watches. Processor time is of ${seconds} seconds; after them ${number(leases)} queues among all get a job whose lease nobody renews.`,
    tableOf(
      ['what', 'measured', 'bar', ''],
      [
        share('processor time of the console, idle', report.console),
        share('processor time of Redis, idle', report.redis),
        [
          'from the end of a lease until it is taken back',
          `median ${number(lateMs.median)} ms, worst ${number(lateMs.worst)} ms`,
          `≤ ${number(RECLAIM_BAR_MS)} ms`,
          lateMs.worst <= RECLAIM_BAR_MS ? 'met' : '**missed**',
        ],
      ],
    ),
  ].join('\n\n');
}
