'use client';
import { KeyRound, ScrollText } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { IconButton } from '@/components/ui/icon-button';
import { useNow } from '@/components/ui/now';
import { RelativeTime } from '@/components/ui/relative-time';
import { Td, Tr } from '@/components/ui/table';
import { links } from '@/lib/client/links';
import { useRevokeToken } from '@/lib/client/use-access';
import { useSeesWholeLog } from '@/lib/client/use-audit';
import { useMe } from '@/lib/client/use-me';
import type { TokenView } from '@/lib/contract/access';
import { rolesWords } from '@/lib/contract/grant-words';
import { visible } from '@/lib/format/text';
import { GrantsCell } from './grants-cell';
import { TOKEN_END_WORDS } from './words';

export function TokenRow({ token }: { token: TokenView }) {
  const [asked, setAsked] = useState(false);
  const log = useSeesWholeLog();
  const { id, name, hint, owner, grants, createdAt, lastUsedAt, lastAddress } = token;
  const shown = visible(name);
  return (
    <Tr>
      <Td truncate title={shown}>
        <span className="font-medium">{shown}</span>
      </Td>
      <Td className="font-mono text-xs">{hint}…</Td>
      <Td truncate title={visible(owner.id)}>
        {visible(owner.name)}
      </Td>
      <Td truncate>
        <GrantsCell grants={grants} />
      </Td>
      <Td>
        <RelativeTime at={createdAt} className="text-muted" />
      </Td>
      <Td>
        <Expiry token={token} />
      </Td>
      <Td>
        {lastUsedAt === null ? (
          <span className="text-faint">never</span>
        ) : (
          <RelativeTime at={lastUsedAt} className="text-muted" />
        )}
      </Td>
      <Td truncate title={lastAddress ?? undefined} className="text-muted">
        {lastAddress === null ? <span className="text-faint">–</span> : visible(lastAddress)}
      </Td>
      <Td>
        <span className="inline-flex items-center gap-0.5">
          <Button
            size="sm"
            variant="danger-quiet"
            aria-label={`Revoke the token ${shown}`}
            onClick={() => setAsked(true)}
          >
            Revoke
          </Button>
          {log && (
            <IconButton size="sm" label={`What the token ${shown} did`} asChild>
              <Link href={links.audit({ actor: `token:${id}` }) as Route} prefetch={false}>
                <ScrollText aria-hidden />
              </Link>
            </IconButton>
          )}
        </span>
        {asked && <RevokeDialog token={token} onClose={() => setAsked(false)} />}
      </Td>
    </Tr>
  );
}

function Expiry({ token: { expiresAt: at, endedBy } }: { token: TokenView }) {
  const over = useNow(15_000) >= at;
  if (endedBy !== null)
    return (
      <span className="text-bad" title={TOKEN_END_WORDS[endedBy].meaning}>
        {TOKEN_END_WORDS[endedBy].word}
      </span>
    );
  if (over) return <span className="text-bad">expired</span>;
  return <RelativeTime at={at} className="text-muted" />;
}

/** Somebody else's takes a reason: they will ask. */
function RevokeDialog({ token, onClose }: { token: TokenView; onClose: () => void }) {
  const { mutate, isPending, error } = useRevokeToken();
  const { id, name, owner, grants, lastUsedAt } = token;
  const own = useMe().data?.id === owner.id;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Revoke this token?"
      description="Whatever uses it is refused from now on. Nothing brings it back."
      facts={[
        { label: 'Token', value: visible(name) },
        { label: 'Owner', value: visible(owner.name) },
        { label: 'May', value: rolesWords(grants) },
        { label: 'Last used', value: lastUsedAt === null ? 'never' : <RelativeTime at={lastUsedAt} /> },
      ]}
      confirmLabel="Revoke token"
      destructive
      reason={own ? 'optional' : 'required'}
      pending={isPending}
      error={error?.detail}
      onConfirm={({ reason }) =>
        mutate(
          { id, reason: reason || undefined },
          {
            onSuccess: () => {
              toast.success('Token revoked', { description: visible(name), icon: <KeyRound /> });
              onClose();
            },
          },
        )
      }
    />
  );
}
