/** What is wrong besides queues and workers: Redis itself, and schedules that do not run. Pure. */
import type { RedisTrouble } from '@/lib/broker/redis/checks/redis-trouble';
import type { OverdueSchedule } from '@/lib/broker/schedules/overdue-schedules';
import { duration } from '@/lib/format/duration';
import { listed } from '@/lib/format/plural';
import type { Finding } from './queue-rules';

const PERSISTENCE: Readonly<Record<Exclude<RedisTrouble['check'], 'memory'>, string>> = {
  aof: 'append-only file',
  snapshot: 'snapshot',
};

const about = (code: string, level: Finding['level'], sentence: string): Finding => ({
  id: code,
  level,
  code,
  queue: null,
  queues: { total: 0, named: [] },
  sentence,
  evidence: { page: 'redis' },
  actions: [],
});

/** At most one about memory and one about saving, the worst server first. */
export function redisTroubleFindings(trouble: readonly RedisTrouble[]): Finding[] {
  const worstFirst = [...trouble].sort((a, b) => Number(b.level === 'bad') - Number(a.level === 'bad'));
  const memory = worstFirst.find(({ check }) => check === 'memory');
  const saving = worstFirst.find(({ check }) => check !== 'memory');
  const server = ({ node }: RedisTrouble) => (node === null ? 'Redis' : `Redis ${node}`);
  return [
    ...(memory
      ? [about('MEMORY', memory.level, `${server(memory)} uses ${memory.value} of memory. ${memory.fix}`)]
      : []),
    ...(saving && saving.check !== 'memory'
      ? [
          about(
            'PERSISTENCE',
            saving.level,
            `${server(saving)} cannot save its data (${PERSISTENCE[saving.check]}: ${saving.value}). ${saving.fix}`,
          ),
        ]
      : []),
  ];
}

/** @param named the queues, as findings name them */
export function overdueFindings(
  overdue: readonly OverdueSchedule[],
  now: number,
  named: (queues: readonly { queue: string }[]) => Finding['queues'],
): Finding[] {
  const [first] = overdue;
  if (!first) return [];
  const queues = [...new Set(overdue.map(({ queue }) => queue))].sort();
  const [queue = null, ...others] = queues;
  const wait = duration(now - first.dueAt);
  return [
    {
      ...about(
        'MISSED',
        'bad',
        overdue.length === 1
          ? `The run of schedule ${first.id} was due ${wait} ago and was not enqueued.`
          : `Runs of ${overdue.length} schedules were due up to ${wait} ago and were not enqueued: ${listed(overdue.map(({ id }) => id))}.`,
      ),
      queue: others.length === 0 ? queue : null,
      queues: named(queues.map((name) => ({ queue: name }))),
      evidence: { page: 'schedules' },
    },
  ];
}
