/**
 * Users change their own passwords where the console may write the users file. Without a writable file they are changed by command.
 */
import { accessSync, constants, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import type { Me, passwordChangeSchema } from '@/lib/contract/access/access-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';
import { actorOf, type Principal } from '@/lib/server/authentication/principal';
import { getBroker } from '@/lib/server/console-broker';
import { log } from '@/lib/server/console-log';
import { readEnv } from '@/lib/server/environment';
import { changeUsers, tokenGenerationOf, UsersFileBusy, userIdOf } from '@/lib/users/users-file';
import { createSession, type SignInRequest } from '../create-session';
import { checkPassword } from '../password-sign-in';
import { takePasswordChangeAttempt, takeReauthenticationAttempt } from '../sign-in-attempts';
import { removeEndedTokens } from '../token-owner';
import { type KnownUser, localUserOf } from './local-users';
import { hashPassword, normalPassword } from './password-hash';

const LOCK_WAIT_MS = 2_000;
const LOCK_LOOK_MS = 50;

/** Where the user changes the password; null: the user has none here. */
export function passwordChangeOf({ method }: Pick<Principal, 'method'>): Me['passwordChange'] {
  if (method !== 'local') return null;
  const { REDRIVE_USERS_FILE: path } = readEnv(process.env);
  if (path === undefined) return 'command';
  try {
    const file = realpathSync(path);
    accessSync(file, constants.W_OK);
    // The file is replaced as a whole, never half written.
    accessSync(dirname(file), constants.W_OK);
    return 'here';
  } catch {
    return 'command';
  }
}

/**
 * All sessions of the user end, and the browser that asked gets a new one.
 * @throws RedriveError FORBIDDEN | VALIDATION | SIGN_IN_FAILED | TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE | UNKNOWN_OUTCOME | INTERNAL
 */
export async function changePassword(
  visit: SignInRequest,
  principal: Principal,
  { password, newPassword, tokens }: z.output<typeof passwordChangeSchema>,
): Promise<{ ended: { sessions: number; tokens: number }; cookie: string }> {
  const known = requireUser(principal);
  await checkPassword(visit, known, password, {
    takeAttempt: () => takeReauthenticationAttempt(principal.via ?? ''),
    networks: [`the session of ${principal.id}`],
    isStranger: false,
    sentence: 'The current password is wrong. Nothing was changed.',
  });
  // A strength check is expensive: only with the right current password, and rate-limited.
  await takePasswordChangeAttempt(principal.id);
  await requireGood(known, password, newPassword);
  const hash = await hashPassword(newPassword, [`the session of ${principal.id}`]);
  const by = actorOf({ principal, ...visit });
  const object = { kind: 'user', id: principal.id } as const;
  const note = { action: 'user.password', object, after: JSON.stringify({ tokens }) };
  // Recorded first: nothing may change without an audit event, and afterwards Redis may be away.
  await getBroker().audit.note(note, by);
  try {
    await writeUser(known, hash, tokens === 'end');
  } catch (error) {
    const code = error instanceof RedriveError ? error.code : 'INTERNAL';
    await getBroker().audit.note({ ...note, result: 'refused', code }, by);
    throw error;
  }
  const { sessions } = getBroker().access;
  const ended = await sessions.endAll(principal.id, {}, by);
  const dropped = tokens === 'end' ? await removeEndedTokens(principal.id, by) : 0;
  const begun = await createSession(visit, {
    id: principal.id,
    name: principal.name,
    method: 'local',
    groups: [],
    stamp: localUserOf(principal.id)?.stamp ?? null,
  });
  // The present session was replaced, not ended.
  return { ended: { sessions: Math.max(0, ended - 1), tokens: dropped }, cookie: begun.cookie };
}

function requireUser(principal: Principal): KnownUser {
  const known = principal.method === 'local' ? localUserOf(principal.id) : null;
  const where = passwordChangeOf(principal);
  if (known === null || where === null)
    throw new RedriveError('FORBIDDEN', 'Only local users who signed in by password can change it.');
  if (where === 'here') return known;
  throw new RedriveError(
    'FORBIDDEN',
    `Passwords are changed by command here: this console cannot write the users file. Its administrator runs: npm run user -- passwd "${known.user.name}". Nothing was changed.`,
    { fields: [{ field: 'newPassword', message: 'cannot be set here' }] },
  );
}

async function requireGood({ user }: KnownUser, password: string, newPassword: string): Promise<void> {
  // Its dictionaries take megabytes: loaded only for a password change.
  const { passwordProblem } = await import('@/lib/users/password-policy');
  const problem =
    normalPassword(password) === normalPassword(newPassword)
      ? 'The new password is the current one.'
      : passwordProblem(normalPassword(newPassword), user.name);
  if (problem === null) return;
  throw new RedriveError('VALIDATION', `${problem} Nothing was changed.`, {
    fields: [{ field: 'newPassword', message: problem }],
  });
}

/** Under the lock of the command, so that no writer overwrites another's change. */
async function writeUser(known: KnownUser, hash: string, endTokens: boolean): Promise<void> {
  const path = readEnv(process.env).REDRIVE_USERS_FILE ?? '';
  const write = () =>
    changeUsers(path, (users) => {
      const user = users.find((one) => `local:${userIdOf(one)}` === known.userId);
      if (user === undefined || user.hash !== known.user.hash)
        throw new RedriveError(
          'SIGN_IN_FAILED',
          'Your password was changed or you were removed meanwhile. Nothing was changed.',
        );
      user.hash = hash;
      if (endTokens) user.tokenGeneration = tokenGenerationOf(user) + 1;
      return users;
    });
  const until = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return write();
    } catch (error) {
      if (error instanceof RedriveError) throw error;
      const isBusy = error instanceof UsersFileBusy;
      if (!isBusy || performance.now() >= until) throw unwritten(error, isBusy);
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_LOOK_MS));
  }
}

function unwritten(cause: unknown, isBusy: boolean): RedriveError {
  // Names paths of the machine: for the log, not for the page.
  log().error({ err: cause }, 'the users file could not be written');
  return new RedriveError(
    'INTERNAL',
    isBusy
      ? 'The users file is being changed. Your password was not changed: try again in a moment.'
      : 'The users file could not be written, so your password was not changed. The log of the console says why.',
    { cause },
  );
}
