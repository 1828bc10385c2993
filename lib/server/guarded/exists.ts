import { getBroker } from '../broker';
import { noSuchQueue } from '../missing';

/** Asked after the rights: whoever may not see a queue is told this much without a look. @throws RedriveError QUEUE_NOT_FOUND */
export async function requireQueue(queue: string): Promise<void> {
  if (!(await getBroker().inspect.exists(queue))) throw noSuchQueue(queue);
}
