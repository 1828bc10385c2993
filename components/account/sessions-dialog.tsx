'use client';
import { toast } from 'sonner';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { DialogContent } from '@/components/ui/dialog';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { useEndOtherSessions, useEndSession, useSessions } from '@/lib/client/use-sessions';
import type { SessionView } from '@/lib/contract/access';
import { count } from '@/lib/format/plural';
import { visible } from '@/lib/format/text';
import { agentWords } from './words';

/** Where one is signed in. What one does not know can be ended, one by one or all at once. */
export function SessionsDialog() {
  const { data: sessions, error } = useSessions();
  const others = sessions?.filter(({ current }) => !current).length ?? 0;
  return (
    <DialogContent
      title="Your sessions"
      description="Where you are signed in. End what you do not know, or no longer use."
      footer={<EndOthers others={others} />}
    >
      {error && !sessions && <Callout tone="bad">{error.detail}</Callout>}
      {!sessions && !error && <Skeleton className="w-2/3" />}
      <ul className="divide-y divide-line">
        {sessions?.map((session) => (
          <Row key={session.id} session={session} />
        ))}
      </ul>
    </DialogContent>
  );
}

function Row({ session }: { session: SessionView }) {
  const { mutate, isPending, error } = useEndSession();
  const { id, agent, address, createdAt, seenAt, expiresAt, current } = session;
  const words = visible(agentWords(agent));
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium" title={visible(agent)}>
            {words}
          </span>
          {current && <Badge tone="accent">this one</Badge>}
        </p>
        <p className="text-muted text-xs">
          from {visible(address)}, seen <RelativeTime at={seenAt} />
        </p>
        <p className="text-faint text-xs">
          began <RelativeTime at={createdAt} />, ends by itself <RelativeTime at={expiresAt} />
        </p>
      </div>
      {!current && (
        <Button
          size="sm"
          pending={isPending}
          aria-label={`End the session of ${words} from ${visible(address)}`}
          onClick={() => mutate({ id }, { onSuccess: () => toast.success('Session ended') })}
        >
          End
        </Button>
      )}
      {error && (
        <Callout tone="bad" className="w-full">
          {error.detail}
        </Callout>
      )}
    </li>
  );
}

function EndOthers({ others }: { others: number }) {
  const { mutate, isPending } = useEndOtherSessions();
  const end = () =>
    mutate(undefined, {
      onSuccess: ({ ended }) => toast.success(`${count(ended, 'other session')} ended`),
      onError: (error) => toast.error('They were not ended', { description: error.detail }),
    });
  return (
    <Button variant="danger-quiet" disabled={others === 0} pending={isPending} onClick={end}>
      Sign out everywhere else
    </Button>
  );
}
