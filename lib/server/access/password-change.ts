/**
 * People change their own passwords, where the console may write the users file. Whoever has no file here, or one that is mounted to be read
 * only, changes it by command.
 */
import { accessSync, constants, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import type { Me, passwordChangeSchema } from '@/lib/contract/access';
import { RedriveError } from '@/lib/contract/errors';
import { changeUsers, tokenGenerationOf, UsersFileBusy, userIdOf } from '@/lib/users/users-file';
import { getBroker } from '../broker';
import { readEnv } from '../env';
import { log } from '../log';
import { takeEstimate, takeProof } from './attempts';
import { beginSession, type Visit } from './begin';
import { type KnownUser, localUserOf } from './local-users';
import { hashPassword, normalPassword } from './passwords';
import { actorOf, type Principal } from './principal';
import { checkPassword } from './sign-in';
import { dropEnded } from './tokens';

const LOCK_WAIT_MS = 2_000;
const LOCK_LOOK_MS = 50;

/** Where this person changes their password; null: they have none here. */
export function passwordChangeOf({ way }: Pick<Principal, 'way'>): Me['passwordChange'] {
  if (way !== 'local') return null;
  const { REDRIVE_USERS_FILE: path } = readEnv(process.env);
  if (path === undefined) return 'command';
  try {
    const file = realpathSync(path);
    accessSync(file, constants.W_OK);
    // The file is replaced as a whole, so that nobody reads half of it.
    accessSync(dirname(file), constants.W_OK);
    return 'here';
  } catch {
    return 'command';
  }
}

/**
 * All sessions of the person end, and the browser that asked has a new one.
 * @throws RedriveError FORBIDDEN | VALIDATION | SIGN_IN_FAILED | TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE | UNKNOWN_OUTCOME | INTERNAL
 */
export async function changePassword(
  visit: Visit,
  principal: Principal,
  { password, newPassword, tokens }: z.output<typeof passwordChangeSchema>,
): Promise<{ ended: { sessions: number; tokens: number }; cookie: string }> {
  const known = requireUser(principal);
  await checkPassword(visit, known, password, {
    takeAttempt: () => takeProof(principal.via ?? ''),
    networks: [`the session of ${principal.id}`],
    isStranger: false,
    sentence: 'The current password is not right. Nothing was changed.',
  });
  // Estimating a password keeps the whole process busy: only for those who know the current one, and only so often.
  await takeEstimate(principal.id);
  await requireGood(known, password, newPassword);
  const hash = await hashPassword(newPassword, [`the session of ${principal.id}`]);
  const by = actorOf({ principal, ...visit });
  const object = { kind: 'person', id: principal.id } as const;
  const note = { action: 'person.password', object, after: JSON.stringify({ tokens }) };
  // Before it is done: nothing may change without a record, and after it Redis may be away.
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
  const dropped = tokens === 'end' ? await dropEnded(principal.id, by) : 0;
  const begun = await beginSession(visit, {
    id: principal.id,
    name: principal.name,
    way: 'local',
    groups: [],
    stamp: localUserOf(principal.id)?.stamp ?? null,
  });
  // The one that asked has a new one: it did not end for its person.
  return { ended: { sessions: Math.max(0, ended - 1), tokens: dropped }, cookie: begun.cookie };
}

function requireUser(principal: Principal): KnownUser {
  const known = principal.way === 'local' ? localUserOf(principal.id) : null;
  const where = passwordChangeOf(principal);
  if (known === null || where === null)
    throw new RedriveError(
      'FORBIDDEN',
      'Only a user of this console, signed in by password, has one to change.',
    );
  if (where === 'here') return known;
  throw new RedriveError(
    'FORBIDDEN',
    `Passwords are changed by command here: this console may not write the users file. Whoever runs it uses: npm run user -- passwd "${known.user.name}". Nothing was changed.`,
    { fields: [{ field: 'newPassword', message: 'cannot be set here' }] },
  );
}

async function requireGood({ user }: KnownUser, password: string, newPassword: string): Promise<void> {
  // Its dictionaries take megabytes: only where somebody changes a password.
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

/** Under the lock that the command takes as well, so that of two who write each has read what the other wrote. */
async function writeUser(known: KnownUser, hash: string, endTokens: boolean): Promise<void> {
  const path = readEnv(process.env).REDRIVE_USERS_FILE ?? '';
  const write = () =>
    changeUsers(path, (users) => {
      const user = users.find((one) => `local:${userIdOf(one)}` === known.personId);
      if (user === undefined || user.hash !== known.user.hash)
        throw new RedriveError(
          'SIGN_IN_FAILED',
          'Somebody else has just changed your password or removed you. Nothing was changed.',
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
  // Its sentence names paths of the machine: for those who run the console, and not for the page.
  log().error({ err: cause }, 'the users file could not be written');
  return new RedriveError(
    'INTERNAL',
    isBusy
      ? 'Somebody else is changing the users file. Your password was not changed: try again in a moment.'
      : 'The users file could not be written, so your password was not changed. The log of the console says why.',
    { cause },
  );
}
