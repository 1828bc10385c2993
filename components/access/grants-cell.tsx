import type { DataColumn } from '@/components/ui/tables/data-column';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { describeGrant } from '@/lib/contract/access/access-labels';
import type { Grant } from '@/lib/contract/access/grant-scopes';

/** Roles with their scope; all names on hover. */
export function GrantsCell({ grants }: { grants: readonly Grant[] }) {
  if (grants.length === 0) return <span className="text-warn">no role</span>;
  return <span title={grantsTitle(grants)}>{grants.map((grant) => describeGrant(grant)).join('; ')}</span>;
}

export const ROLES_COLUMN: DataColumn<{ grants: readonly Grant[] }> = {
  key: 'roles',
  head: 'Roles',
  narrow: '@max-xl:hidden',
  cell: ({ grants }) => <GrantsCell grants={grants} />,
};

/** Below the name, where there is no room for a column of roles. */
export const NarrowGrants = ({ grants }: { grants: readonly Grant[] }) => (
  <span className="block truncate text-faint text-xs @min-xl:hidden">
    <GrantsCell grants={grants} />
  </span>
);

export const grantsTitle = (grants: readonly Grant[]): string =>
  grants.map((grant) => describeGrant(grant, true)).join('\n');

/** A moment that may not have come yet. */
export const PastTime = ({ at }: { at: number | null }) =>
  at === null ? <span className="text-faint">never</span> : <RelativeTime at={at} className="text-muted" />;
