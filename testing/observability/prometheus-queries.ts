/** The queries of deploy/prometheus and deploy/grafana, as the tests of both read them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const DEPLOY = join(import.meta.dirname, '../../deploy');
export const RULE_FILES = ['recording.rules.yml', 'alerts.rules.yml'].map((name) =>
  join(DEPLOY, 'prometheus', name),
);
const DASHBOARDS = join(DEPLOY, 'grafana/dashboards');

export interface StoredQuery {
  /** File and panel, alert or record. */
  readonly name: string;
  /** With Grafana's variables replaced: all queues, and an interval of a minute. */
  readonly text: string;
  /** What a recording rule makes; undefined: it is another query. */
  readonly record?: string;
  readonly isAlert: boolean;
}

interface Rule {
  readonly expr: string;
  readonly record?: string;
  readonly alert?: string;
}

const rulesOf = (file: string): StoredQuery[] =>
  (parse(readFileSync(file, 'utf8')) as { groups: { rules: Rule[] }[] }).groups
    .flatMap(({ rules }) => rules)
    .map(({ expr, record, alert }) => ({
      name: record ?? alert ?? '',
      text: expr,
      isAlert: alert !== undefined,
      ...(record ? { record } : {}),
    }));

const panelsOf = (file: string): StoredQuery[] =>
  (
    JSON.parse(readFileSync(join(DASHBOARDS, file), 'utf8')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    }
  ).panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({
      name: `${file}: ${title}`,
      text: expr.replaceAll('$queue', '.*').replaceAll('$__rate_interval', '1m'),
      isAlert: false,
    })),
  );

export const storedQueries = (): StoredQuery[] => [
  ...RULE_FILES.flatMap(rulesOf),
  ...readdirSync(DASHBOARDS).flatMap(panelsOf),
];

/** The metrics of ours that a query reads, recorded ones among them. A histogram is read by its series. */
export const metricsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\b(?:redis_job_|redrive_|redrive:)[\w:]+/g)].map(([name]) =>
      name.replace(/_bucket$|_seconds_count$/, (end) => (end === '_seconds_count' ? '_seconds' : '')),
    ),
  ),
];
