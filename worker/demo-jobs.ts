/** Makes up the demo's jobs. */
import { randomUUID } from 'node:crypto';
import { timeOrderedId } from '@/lib/broker';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import type { LabSettings } from '@/lib/contract/lab/lab-schemas';
import { brokenPayloadFor, type LabQueue, payloadFor, QUEUE_OF } from './demo-kinds';
import { pickTenant } from './demo-tenants';
import { chance, pickOne, randomInteger } from './random-choice';

/** Of the share of jobs that is to fail, this much is the producer's fault: a bad payload, or a version from the future. */
const PRODUCER_FAULT_SHARE = 0.05;
const PRIORITIES = [-100, -10, 5, 10, 10, 50, 100];

/** @param tenant whose job it is; left out: any */
export function makeJob(
  settings: LabSettings,
  random: () => number,
  tenant?: string,
): { queue: LabQueue; job: EnqueueInput } {
  const kind = pickOne(settings.kinds, random);
  const tenantId = tenant ?? pickTenant(settings.tenants, random);
  const producerFault = settings.failPercent * PRODUCER_FAULT_SHARE;
  const broken = chance(producerFault, random);
  const isFromFuture = chance(producerFault, random);
  const reference = randomInteger(10_000, 99_999, random);
  return {
    queue: QUEUE_OF[kind],
    job: {
      // Chosen here, so that a batch whose reply was lost can be sent again.
      jobId: timeOrderedId(),
      jobType: kind,
      jobVersion: isFromFuture ? 99 : 1,
      tenantId,
      // No deploy of this demo will know that version, so waiting for one would only delay the dead letter.
      maxAttempts: isFromFuture ? 1 : settings.maxAttempts,
      priority: chance(settings.prioritisedPercent, random) ? pickOne(PRIORITIES, random) : 0,
      delayMs: chance(settings.delayedPercent, random) ? randomInteger(2_000, 20_000, random) : undefined,
      idempotencyKey: `${kind}:${tenantId}:${reference}`,
      correlationId: `order-${reference}`,
      traceId: randomUUID().replaceAll('-', ''),
      payload: broken
        ? brokenPayloadFor(kind, tenantId, random)
        : JSON.stringify(payloadFor(kind, tenantId, random)),
    },
  };
}
