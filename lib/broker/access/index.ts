/** Sessions, users, API tokens and attempts to sign in: `broker.access`. Rights are checked in lib/server/authorization. */
import { bindVerbs } from '../redis/bind-verbs';
import type { BrokerContext } from '../redis/broker-context';
import { attemptVerbs, codeVerbs } from './attempt-counts';
import { changeVerbs } from './change-shares';
import { SESSION_VERBS } from './session-records';
import { TABLE_VERBS } from './table-records';
import { TOKEN_VERBS } from './token-records';
import { USER_VERBS } from './user-records';

export type { Session, Token, UserAccess, UserProfile, UserRecord } from './access-rows';
export type { SessionStart } from './session-records';

export const accessVerbs = (ctx: BrokerContext) => ({
  sessions: bindVerbs(ctx, SESSION_VERBS),
  users: bindVerbs(ctx, USER_VERBS),
  tables: bindVerbs(ctx, TABLE_VERBS),
  tokens: bindVerbs(ctx, TOKEN_VERBS),
  attempts: attemptVerbs(ctx),
  changes: changeVerbs(ctx),
  codes: codeVerbs(ctx),
});
