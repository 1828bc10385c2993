'use client';
import Link from 'next/link';
import { ConfirmWrite } from '@/components/shared/confirm-write';
import { useDialog } from '@/components/shared/use-dialog';
import { Button } from '@/components/ui/controls/button';
import { IconButton } from '@/components/ui/controls/icon-button';
import { KeyRound, ScrollText } from '@/components/ui/icons';
import { toast } from '@/components/ui/overlays/toast';
import { useNow } from '@/components/ui/text/clock-provider';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useRevokeToken } from '@/lib/browser/access/use-access';
import { useMe } from '@/lib/browser/access/use-me';
import { links } from '@/lib/browser/links';
import { useSeesWholeLog } from '@/lib/browser/use-audit';
import { describeGrants } from '@/lib/contract/access/access-labels';
import type { TokenView } from '@/lib/contract/access/access-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { TOKEN_END_LABELS } from './labels';

const DIALOGS = ['revoke'] as const;

export function TokenActions({ token }: { token: TokenView }) {
  const [asked, ask] = useDialog(DIALOGS, () => true, token.id);
  const log = useSeesWholeLog();
  const name = revealHidden(token.name);
  return (
    <>
      <span className="inline-flex items-center gap-0.5">
        <Button
          size="sm"
          variant="danger-quiet"
          aria-label={`Revoke the token ${name}`}
          onClick={() => ask('revoke')}
        >
          Revoke
        </Button>
        {log && (
          <IconButton size="sm" label={`Actions by the token ${name}`} asChild>
            <Link href={links.audit({ actor: `token:${token.id}` })} prefetch={false}>
              <ScrollText aria-hidden />
            </Link>
          </IconButton>
        )}
      </span>
      {asked && <RevokeDialog token={token} onClose={() => ask(null)} />}
    </>
  );
}

export function TokenExpiry({ token: { expiresAt: at, endedBy } }: { token: TokenView }) {
  const over = useNow(15_000) >= at;
  if (endedBy !== null)
    return (
      <span className="text-bad" title={TOKEN_END_LABELS[endedBy].meaning}>
        {TOKEN_END_LABELS[endedBy].word}
      </span>
    );
  if (over) return <span className="text-bad">expired</span>;
  return <RelativeTime at={at} className="text-muted" />;
}

/** Revoking another user's token needs a reason. */
function RevokeDialog({ token, onClose }: { token: TokenView; onClose: () => void }) {
  const { id, name, owner, grants, lastUsedAt } = token;
  const own = useMe().data?.id === owner.id;
  return (
    <ConfirmWrite
      title="Revoke this token?"
      description="Requests with this token are rejected from now on. This cannot be undone."
      facts={[
        { label: 'Token', value: revealHidden(name) },
        { label: 'Owner', value: revealHidden(owner.name) },
        { label: 'Roles', value: describeGrants(grants) },
        { label: 'Last used', value: lastUsedAt === null ? 'never' : <RelativeTime at={lastUsedAt} /> },
      ]}
      confirmLabel="Revoke token"
      destructive
      reason={own ? 'optional' : 'required'}
      write={useRevokeToken()}
      input={(reason) => ({ id, reason: reason || undefined })}
      onDone={() => toast.success('Token revoked', { description: revealHidden(name), icon: <KeyRound /> })}
      onClose={onClose}
    />
  );
}
