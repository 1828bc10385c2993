/** Who may come in, and who is in: `broker.access`. What somebody may do is decided by whoever asks, lib/server/access. */
import type { BrokerContext } from '../context';
import { attemptVerbs } from './attempts';
import { codeVerbs } from './codes';
import { personVerbs } from './people';
import { sessionVerbs } from './sessions';
import { tokenVerbs } from './tokens';

export type { Given, Seen, StoredPerson } from './person-row';
export type { Session } from './session-row';
export type { SessionStart } from './sessions';
export type { Token } from './token-row';

export const accessVerbs = (ctx: BrokerContext) => ({
  sessions: sessionVerbs(ctx),
  people: personVerbs(ctx),
  tokens: tokenVerbs(ctx),
  attempts: attemptVerbs(ctx),
  codes: codeVerbs(ctx),
});
