/** Labels of alerts; pure. A code without a label is shown as it is. */
import type { Tone } from '@/components/ui/tone';
import type { AlertEvent, ChannelKind, DeliveryState } from '@/lib/contract/alerts/alert-limits';
import type { Alert, Channel, Silence } from '@/lib/contract/alerts/alert-schemas';

const CODE_LABELS: Readonly<Record<string, string>> = {
  REDIS: 'Redis unreachable',
  DATA_LOST: 'Redis lost data',
  MEMORY: 'Redis memory nearly full',
  PERSISTENCE: 'Redis does not persist',
  OPERATION: 'Operation failed or was stopped',
  UNREADABLE: 'Queues cannot be read',
  WORKERS_GONE: 'Workers crashed or vanished',
  BREAKER: 'Circuit breaker open',
  MISSED: 'Schedule missed',
  UNKNOWN_JOB: 'Job unknown to workers',
  NEW_FAILURE: 'New failure',
  LEDGER: 'Ledger off balance',
  SHARDS: 'Shards cannot be read',
  FAILING: 'Runs fail',
  NO_WORKERS: 'Jobs wait, no worker',
  OVERDUE: 'Expired leases not reclaimed',
  OLD: 'Jobs wait too long',
  DEEP: 'Too many jobs wait',
  FULL: 'Queue full',
  NEARLY_FULL: 'Queue nearly full',
  EXPIRING: 'Retention deletes dead jobs',
  DRAINING: 'Queue draining',
  PAUSED: 'Queue paused',
};
export const codeLabel = (code: string): string => CODE_LABELS[code] ?? code;

export const KIND_LABELS: Readonly<Record<ChannelKind, string>> = {
  webhook: 'Webhook',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
  email: 'Email',
  heartbeat: 'Heartbeat',
};

export const SOURCE_LABELS: Readonly<Record<Channel['source'], string>> = {
  environment: 'environment',
  console: 'console',
};

export const EVENT_LABELS: Readonly<Record<AlertEvent, string>> = {
  fired: 'Fired',
  worse: 'Got worse',
  acknowledged: 'Acknowledged',
  ended: 'Ended',
  test: 'Test',
};

export const DELIVERY_LABELS: Readonly<Record<DeliveryState, { label: string; tone: Tone }>> = {
  waiting: { label: 'Waiting', tone: 'neutral' },
  sent: { label: 'Sent', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
};

export const LEVEL_LABELS: Readonly<Record<Alert['level'], string>> = { bad: 'Problem', warn: 'Warning' };

/** What is being done about an alert that stands. */
export function alertStatus({ state, level, acknowledged, silencedBy, over }: Alert): {
  label: string;
  tone: Tone;
} {
  if (silencedBy !== null) return { label: 'Silenced', tone: 'neutral' };
  if (over) return { label: 'Over', tone: 'neutral' };
  if (acknowledged !== null) return { label: 'Acknowledged', tone: 'accent' };
  return state === 'firing' ? { label: 'Firing', tone: level } : { label: 'Pending', tone: 'neutral' };
}

/** "FAILING in orders", "all alerts of orders", "FAILING". */
export function silenceLabel({ code, queue }: Pick<Silence, 'code' | 'queue'>): string {
  if (code === null) return `all alerts of ${queue}`;
  return queue === null ? code : `${code} in ${queue}`;
}

/** "problems", "problems and warnings". */
export const levelsLabel = ({ levels }: Pick<Channel, 'levels'>): string =>
  [levels.includes('bad') && 'problems', levels.includes('warn') && 'warnings']
    .filter((word) => word !== false)
    .join(' and ');

/** "problems of FAILING in billing*": what a channel is told of. */
export function toldLabel(channel: Channel): string {
  if (channel.kind === 'heartbeat') return 'that all is well';
  const codes = channel.codes ? ` of ${channel.codes.join(', ')}` : '';
  const queues = channel.queues ? ` in ${channel.queues.join(', ')}` : '';
  return `${levelsLabel(channel)}${codes}${queues}`;
}
