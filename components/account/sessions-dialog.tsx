'use client';
import { CopyCommands, CopyLink } from '@/components/shared/requests/copy-request';
import { Badge } from '@/components/ui/badge';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { DialogContent } from '@/components/ui/overlays/dialog';
import { toast } from '@/components/ui/overlays/toast';
import { Skeleton } from '@/components/ui/skeleton';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useEndOtherSessions, useEndSession, useSessions } from '@/lib/browser/access/use-access';
import type { SessionView } from '@/lib/contract/access/access-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { count } from '@/lib/format/plural';
import { describeUserAgent } from '@/lib/format/user-agent';

/** The user's sessions; others can be ended one by one or all at once. */
export function SessionsDialog() {
  const { data: sessions, error } = useSessions();
  const others = sessions?.filter(({ current }) => !current).length ?? 0;
  return (
    <DialogContent
      title="Your sessions"
      description="Where you are signed in. End sessions that you don't recognize or no longer use."
      footer={
        <>
          <span className="mr-auto">
            <CopyLink filled={() => ({})} />
          </span>
          <EndOthers others={others} />
        </>
      }
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
  const { mutate, isPending, error, requestOf } = useEndSession();
  const { id, agent, address, createdAt, seenAt, expiresAt, current } = session;
  const words = revealHidden(describeUserAgent(agent));
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium" title={revealHidden(agent)}>
            {words}
          </span>
          {current && <Badge tone="accent">current</Badge>}
        </p>
        <p className="text-muted text-xs">
          {revealHidden(address)}, last seen <RelativeTime at={seenAt} />
        </p>
        <p className="text-faint text-xs">
          started <RelativeTime at={createdAt} />, expires <RelativeTime at={expiresAt} />
        </p>
      </div>
      {!current && (
        <span className="flex shrink-0 items-center">
          <CopyCommands
            request={() => requestOf({ id })}
            of={`end the session of ${words} from ${revealHidden(address)}`}
          />
          <Button
            size="sm"
            pending={isPending}
            aria-label={`End the session of ${words} from ${revealHidden(address)}`}
            onClick={() => mutate({ id }, { onSuccess: () => toast.success('Session ended') })}
          >
            End
          </Button>
        </span>
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
  const { mutate, isPending, requestOf } = useEndOtherSessions();
  const end = () =>
    mutate(undefined, {
      onSuccess: ({ ended }) => toast.success(`${count(ended, 'other session')} ended`),
      onError: (error) => toast.error('Could not sign out the other sessions', { description: error.detail }),
    });
  return (
    <span className="flex items-center">
      <CopyCommands request={() => requestOf(undefined)} of="sign out other sessions" />
      <Button variant="danger-quiet" disabled={others === 0} pending={isPending} onClick={end}>
        Sign out other sessions
      </Button>
    </span>
  );
}
