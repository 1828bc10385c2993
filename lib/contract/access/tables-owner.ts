import type { SignInMethod } from './access-limits';

/**
 * The user to whom settings of tables belong, for the console and the browser. Null: the browser alone has them, since a token has no
 * tables, and with AUTH=none all users without a name share one id.
 */
export const tablesOwner = ({
  id,
  name,
  chosen,
  method,
}: {
  id: string;
  name: string;
  chosen: boolean;
  method: SignInMethod;
}): string | null => (method === 'token' ? null : method !== 'none' ? id : chosen ? `name:${name}` : null);
