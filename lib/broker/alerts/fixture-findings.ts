/** Findings, rules and channels for tests of alerts. */
import type { AlertFinding, AlertReceiver, AlertRules } from './advance-alerts';

export const finding = (over: Partial<AlertFinding> = {}): AlertFinding => ({
  code: 'FAILING',
  level: 'bad',
  sentence: 'Half of the runs in mail fail.',
  queues: { total: 1, named: ['mail'] },
  evidence: { page: 'queue', queue: 'mail' },
  ...over,
});

/** Bad findings last 30 s, warnings 5 min; an alert ends after a minute. */
export const RULES: AlertRules = {
  forMs: (code, level) => (code === 'PAUSED' ? null : level === 'bad' ? 30_000 : 300_000),
  resolveAfterMs: 60_000,
};

export const channel = (name: string, takes: AlertReceiver['takes'] = () => true): AlertReceiver => ({
  name,
  takes,
});
