/** Who may look after sessions, tokens and rights, and whose. */
import { RedriveError } from '@/lib/contract/errors';
import { isEverywhere } from '@/lib/contract/permissions';
import { needEverywhere } from './need';
import { type Principal, withinOf } from './principal';

export const mayManage = (principal: Principal): boolean => isEverywhere(withinOf(principal, 'access'));

/** To change anything of others. @throws RedriveError FORBIDDEN | PROOF_NEEDED */
export const needToManage = (principal: Principal): void => needEverywhere(principal, 'access');

/** To see what is of others: nothing is changed by it, so nobody has to say once more who they are. @throws RedriveError FORBIDDEN */
export function needToSee(principal: Principal): void {
  if (!mayManage(principal)) needEverywhere(principal, 'access');
}

/** A token that leaked must not be able to make more of itself, nor to throw its owner out. @throws RedriveError FORBIDDEN */
export function needPerson(principal: Principal): void {
  if (principal.way !== 'token') return;
  throw new RedriveError(
    'FORBIDDEN',
    'A token cannot look after sessions and tokens: sign in as a person. Nothing was changed.',
    { fields: [{ field: 'Authorization', message: 'is a token' }] },
  );
}
