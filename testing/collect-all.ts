import type { Broker } from '@/testing/create-broker';

/** Carries all pending audit events into the log: a collection ends after some hundred. */
export async function collectAll(
  broker: Broker,
  options: Parameters<Broker['audit']['collect']>[0] = {},
): Promise<number> {
  let entered = 0;
  for (let after: string | null | undefined; after !== null; ) {
    const collected = await broker.audit.collect({ ...options, after });
    entered += collected.entered;
    after = collected.stoppedAfter;
  }
  return entered;
}
