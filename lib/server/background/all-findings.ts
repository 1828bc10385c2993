/** The findings over all queues, with as many names as alerts keep: for alerts, not for a viewer. */
import { ALERT_QUEUES_MAX } from '@/lib/contract/alerts/alert-limits';
import type { Verdict } from '@/lib/contract/queues/queue-schemas';
import type { Sample } from '../live/sampler';
import { evaluate } from '../live/verdict/verdict';

export function allFindings({ frame, ...sample }: Sample): Verdict['findings'] {
  const { overview, workers, operations } = frame;
  const { verdict } = evaluate({
    now: overview.at,
    redisError: null,
    dataLoss: sample.dataLoss,
    unreadable: sample.unreadable,
    unreadNames: sample.unreadNames,
    queues: overview.queues,
    workers: workers.workers,
    operations,
    redisTrouble: sample.redisTrouble,
    overdue: sample.overdue,
    failures: sample.failures,
    failingTypes: sample.failingTypes,
    namedMax: ALERT_QUEUES_MAX,
  });
  return verdict.findings;
}
