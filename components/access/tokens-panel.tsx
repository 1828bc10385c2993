'use client';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { Panel } from '@/components/ui/panel';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ColumnHeads, Table, TBody } from '@/components/ui/table';
import { useTokens } from '@/lib/client/use-access';
import { useMe } from '@/lib/client/use-me';
import { count } from '@/lib/format/plural';
import { NewTokenDialog } from './new-token-dialog';
import { TokenRow } from './token-row';
import { useAccessView } from './use-access-view';
import { Whose } from './whose';

const COLUMNS = [
  { head: 'Token', width: 190 },
  { head: 'Begins', width: 96 },
  { head: 'Owner', width: 120 },
  { head: 'May', width: undefined },
  { head: 'Created', width: 88 },
  { head: 'Expires', width: 88 },
  { head: 'Last used', width: 88 },
  { head: 'From', width: 124 },
  { head: 'Actions', width: 84 },
] as const;

/** What programs come in with: those of one's own, or everybody's. */
export function TokensPanel() {
  const { all } = useAccessView();
  const { data: page, error, refetch, isFetching } = useTokens(all);
  if (error && !page) {
    return (
      <ErrorState
        title="The tokens could not be loaded"
        message={error.detail}
        reference={error.requestId ?? undefined}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  const tokens = page?.tokens.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1)) ?? null;
  return (
    <Panel flush>
      <div className="flex flex-wrap items-center gap-3 border-line border-b px-3 py-1.5">
        <Whose what="tokens" />
        <p className="text-faint text-xs" aria-live="polite">
          {tokens && count(tokens.length, 'token')}
        </p>
        <span className="ml-auto">
          <NewToken />
        </span>
      </div>
      {tokens?.length === 0 ? (
        <EmptyState icon={<KeyRound />} title={all ? 'Nobody has a token' : 'You have no token'}>
          A token lets a program call the API with a part of what its owner may do, until it expires or is
          revoked.
        </EmptyState>
      ) : (
        <Table label="API tokens" className="min-w-[66rem] table-fixed">
          <ColumnHeads columns={COLUMNS} />
          <TBody>
            {tokens === null && <SkeletonRows columns={COLUMNS.length} rows={4} />}
            {tokens?.map((token) => (
              <TokenRow key={token.id} token={token} />
            ))}
          </TBody>
        </Table>
      )}
    </Panel>
  );
}

function NewToken() {
  const [open, setOpen] = useState(false);
  const me = useMe().data;
  return (
    <>
      <Button variant="primary" disabled={!me} onClick={() => setOpen(true)}>
        <Plus aria-hidden />
        New token
      </Button>
      {open && me && <NewTokenDialog me={me} onClose={() => setOpen(false)} />}
    </>
  );
}
