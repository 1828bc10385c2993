'use client';
import { useNow } from '@/components/ui/now';
import { useLiveStatus } from '@/lib/client/live';
import { useOverview } from '@/lib/client/use-overview';

export type ConnectionKind = 'live' | 'polling' | 'offline';

/** How data gets here and how old it is, in the words of the header. */
export function useConnection(): { kind: ConnectionKind; ageMs: number | null } {
  const status = useLiveStatus();
  const overview = useOverview().data;
  const now = useNow();
  const ageMs = overview ? Math.max(0, now - overview.at) : null;
  // Old numbers that keep arriving are not live, whatever carries them.
  if (overview && !overview.fresh) return { kind: 'offline', ageMs };
  // Nor is a stream that is still being opened.
  return { kind: status === 'connecting' ? 'polling' : status, ageMs };
}
