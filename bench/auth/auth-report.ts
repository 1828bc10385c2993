import { metOrMissed, number, tableOf } from '../harness/bench-report';
import { type Stamp, stampLine } from '../harness/machine';
import type { Spread } from '../harness/statistics';

/** Of what the same console does without authentication, in the same round. */
export const BAR = 0.9;

export const SIDES = ['none', 'session', 'token'] as const;
export type Side = (typeof SIDES)[number];

export interface AuthRow {
  name: string;
  /** Requests a second, medians over the rounds. */
  perSecond: Record<Side, number>;
  /** Of console and Redis, for one request. */
  cpuUs: Record<Side, number>;
  /** Same-round ratios to `none`; of processor time the other way round, so that less than 1 is worse in both. */
  ratio: Record<Exclude<Side, 'none'>, Spread | null>;
  cpuRatio: Record<Exclude<Side, 'none'>, Spread | null>;
  met: boolean;
}
export interface AuthReport extends Stamp {
  rounds: number;
  concurrency: number;
  bar: number;
  met: boolean;
  rows: AuthRow[];
}

const times = (spread: Spread | null): string =>
  spread === null ? '–' : `${spread.median.toFixed(2)} × (${spread.min.toFixed(2)}–${spread.max.toFixed(2)})`;

export function authMarkdown(report: AuthReport): string {
  const { rounds, concurrency, met, rows } = report;
  return [
    '# Results of `npm run bench:auth`',
    `${stampLine(report)} ${rounds} rounds.`,
    `**The API with authentication does ${met ? 'at least' : '**less than**'} ${BAR} × of what it does without.**`,
    `Three built consoles on one Redis, ${concurrency} requests at once over kept connections: one with AUTH=none, one that is asked with a session's cookie, one with an API token. They take turns in each round; a ratio is of the same round (median, smallest–largest).`,
    tableOf(
      ['request', 'none, a second', 'session', 'token', 'session ÷ none', 'token ÷ none', ''],
      rows.map(({ name, perSecond, ratio, met }) => [
        `\`${name}\``,
        number(perSecond.none),
        number(perSecond.session),
        number(perSecond.token),
        times(ratio.session),
        times(ratio.token),
        metOrMissed(met),
      ]),
    ),
    '## Processor time a request',
    'Of console and Redis, in µs. It repeats from round to round where rates swing with the machine.',
    tableOf(
      ['request', 'none', 'session', 'token', 'none ÷ session', 'none ÷ token'],
      rows.map(({ name, cpuUs, cpuRatio }) => [
        `\`${name}\``,
        number(cpuUs.none),
        number(cpuUs.session),
        number(cpuUs.token),
        times(cpuRatio.session),
        times(cpuRatio.token),
      ]),
    ),
  ].join('\n\n');
}
