import { Callout } from '@/components/ui/callout';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { plural } from '@/lib/format/plural';

/** Some shards cannot be read: what is shown is of the others, and says so instead of looking small. */
export function PartialNote({ shards: { count, unavailable } }: Pick<QueueSnapshot, 'shards'>) {
  if (unavailable.length === 0) return null;
  const readable = count - unavailable.length;
  return (
    <Callout tone="bad" title="Partial">
      {plural(unavailable.length, 'Shard', 'Shards')} {unavailable.join(', ')} of {count} cannot be read.
      Every number here is of the other {readable}: the queue holds at least that much. What is missing stays
      where it is, and goes on once it can be read.
    </Callout>
  );
}
