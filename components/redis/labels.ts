import type { Tone } from '@/components/ui/tone';
import type { CheckTopic, CheckVerdict } from '@/lib/contract/redis/redis-check-verdicts';

export const VERDICT_LABELS: Readonly<Record<CheckVerdict, { label: string; tone: Tone }>> = {
  bad: { label: 'Problem', tone: 'bad' },
  warn: { label: 'Warning', tone: 'warn' },
  unknown: { label: 'Unknown', tone: 'neutral' },
  ok: { label: 'OK', tone: 'good' },
};

export const TOPIC_LABELS: Readonly<Record<CheckTopic, string>> = {
  memory: 'Memory',
  durability: 'Durability',
  replication: 'Replication',
  clients: 'Connections',
  latency: 'Latency',
  scripts: 'Scripts',
  security: 'Security',
  server: 'Server',
};
