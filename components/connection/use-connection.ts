'use client';
import { useNow } from '@/components/ui/now';
import { useLiveStatus } from '@/lib/client/live';
import { useOverview } from '@/lib/client/use-overview';

export type ConnectionKind = 'live' | 'polling' | 'offline';

/** How data gets here and how old it is, in the words of the header. */
export function useConnection(): { kind: ConnectionKind; ageMs: number | null } {
  const status = useLiveStatus();
  const at = useOverview().data?.at;
  const now = useNow();
  // A stream that is still being opened has brought nothing yet: that is not live.
  const kind = status === 'connecting' ? 'polling' : status;
  return { kind, ageMs: at === undefined ? null : Math.max(0, now - at) };
}
