/** What stands beside a person's name; pure. */
import type { Me } from '@/lib/contract/access';

export { rolesWords } from '@/lib/contract/grant-words';
export { agentWords } from '@/lib/format/agent';

const WAYS: Readonly<Record<Me['way'], string>> = {
  none: 'Nobody is asked to sign in here',
  link: 'Came in by a one-time link',
  local: 'Came in by password',
  oidc: 'Came in by single sign-on',
  token: 'Came in by an API token',
};
export const wayWords = ({ way }: Pick<Me, 'way'>): string => WAYS[way];
