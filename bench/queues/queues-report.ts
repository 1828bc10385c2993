import { metOrMissed, number, tableOf } from '../harness/bench-report';
import { type Stamp, stampLine } from '../harness/machine';

/** Of a core, for each of the two. */
export const IDLE_SHARE_BAR = 0.02;
/** After the end of a lease. */
export const RECLAIM_BAR_MS = 5_000;

export interface QueuesReport extends Stamp {
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
  const { queues, leases, seconds, lateMs, met } = report;
  const share = (name: string, value: number) => [
    name,
    `${(value * 100).toFixed(2)} % of a core`,
    `≤ ${IDLE_SHARE_BAR * 100} %`,
    metOrMissed(value <= IDLE_SHARE_BAR),
  ];
  return [
    '# Results of `npm run bench:queues`',
    stampLine(report),
    `**${met ? 'All bars are met' : 'A bar is missed'}.**`,
    `One built console and ${number(queues)} queues, each with a job that falls due in a day. No worker runs and no browser is open. Processor time is of ${seconds} seconds; then ${number(leases)} of the queues get a job with a lease that is not renewed.`,
    tableOf(
      ['what', 'measured', 'bar', ''],
      [
        share('processor time of the console, idle', report.console),
        share('processor time of Redis, idle', report.redis),
        [
          'from the end of a lease until it is taken back',
          `median ${number(lateMs.median)} ms, worst ${number(lateMs.worst)} ms`,
          `≤ ${number(RECLAIM_BAR_MS)} ms`,
          metOrMissed(lateMs.worst <= RECLAIM_BAR_MS),
        ],
      ],
    ),
  ].join('\n\n');
}
