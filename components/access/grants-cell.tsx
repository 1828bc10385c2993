import { grantWords } from '@/lib/contract/grant-words';
import type { Grant } from '@/lib/contract/permissions';

/** Roles and where they hold, one beside the other; all names on hover. */
export function GrantsCell({ grants }: { grants: readonly Grant[] }) {
  if (grants.length === 0) return <span className="text-warn">no role</span>;
  return <span title={grantsTitle(grants)}>{grants.map((grant) => grantWords(grant)).join('; ')}</span>;
}

export const grantsTitle = (grants: readonly Grant[]): string =>
  grants.map((grant) => grantWords(grant, true)).join('\n');
