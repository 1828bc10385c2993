/** The users who sign in by password: adds, changes and removes them in the users file. */
import { hash } from '@node-rs/argon2';
import type { LocalUser } from '@/lib/contract/access/access-schemas';
import type { Grant, Role } from '@/lib/contract/access/grant-scopes';
import { userNameSchema } from '@/lib/contract/access/user-name';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { passwordProblem } from '@/lib/users/password-policy';
import {
  changeUsers,
  nameKey,
  newUserId,
  tokenGenerationOf,
  userIdOf,
  usersIn,
} from '@/lib/users/users-file';
import { PASSWORD_HASH } from '../lib/contract/access/access-limits';
import { grantSchema, grantsSchema } from '../lib/contract/access/grant-schemas';
import { readChoice, readPassword } from './password-input';
import { CommandError, EXIT } from './terminal/exit-codes';

interface GrantOptions {
  readonly role: Role;
  readonly queues?: readonly string[];
  readonly tenants?: readonly string[];
}

const refusal = (sentence: string) => new CommandError(sentence, EXIT.refused);
const misuse = (sentence: string) => new CommandError(sentence, EXIT.usage);

const grantIn = ({ role, queues, tenants }: GrantOptions): Grant =>
  parseOrThrow(
    grantSchema,
    { role, ...(queues === undefined ? {} : { queues }), ...(tenants === undefined ? {} : { tenants }) },
    'The grant',
  );

async function newHash(name: string): Promise<string> {
  const password = await readPassword(name).catch((error: Error) => {
    throw new CommandError(error.message, EXIT.notConfirmed);
  });
  const problem = passwordProblem(password, name);
  if (problem) throw refusal(`${problem} Nothing was changed.`);
  return hash(password, PASSWORD_HASH);
}

/** Programs go on with their tokens, or stop: only the administrator who types this knows which is right. */
async function tokensEnd(tokens: string | undefined, name: string): Promise<boolean> {
  const choice = tokens ?? (await readChoice(`Do the API tokens of ${name} end, too? (end, keep): `));
  if (choice !== 'end' && choice !== 'keep')
    throw misuse(
      `Say whether the API tokens of ${name} end, too: --tokens end or --tokens keep. Nothing was changed.`,
    );
  return choice === 'end';
}

const isCalled = (name: string) => (user: LocalUser) => nameKey(user.name) === nameKey(name);

function existing(users: LocalUser[], name: string): LocalUser {
  const user = users.find(isCalled(name));
  if (!user) throw refusal(`There is no user ${name}. See who there is: npm run user -- list.`);
  return user;
}

const nameIn = (text: string): string => parseOrThrow(userNameSchema, text.normalize('NFC'), 'The name');

const describe = ({ role, queues, tenants }: Grant): string =>
  `${role} of ${queues.join(', ') === '*' ? 'all queues' : queues.join(', ')}${tenants ? `, tenants ${tenants.join(', ')}` : ''}`;

/** Asks for the password. @returns what was done. @throws CommandError; then nothing was changed */
export async function addFileUser(file: string, text: string, options: GrantOptions): Promise<string> {
  const name = nameIn(text);
  const grants = [grantIn(options)];
  const taken = () => refusal(`There is a user ${name} already. Another password: npm run user -- passwd.`);
  if (usersIn(file).some(isCalled(name))) throw taken();
  const user = { id: newUserId(), name, hash: await newHash(name), grants };
  changeUsers(file, (users) => {
    if (users.some(isCalled(name))) throw taken();
    return [...users, user];
  });
  return `Added ${name}: ${grants.map(describe).join('; ')}.${hint(file)}`;
}

/** Asks for the password, and without `tokens` whether they end. */
export async function setFilePassword(
  file: string,
  text: string,
  { tokens }: { tokens?: string },
): Promise<string> {
  const name = nameIn(text);
  existing(usersIn(file), name);
  const end = await tokensEnd(tokens, name);
  const made = await newHash(name);
  changeUsers(file, (users) => {
    const user = existing(users, name);
    user.hash = made;
    if (end) user.tokenGeneration = tokenGenerationOf(user) + 1;
    return users;
  });
  return `${name} has another password. Sessions begun with the old one have ended. ${end ? 'So have their API tokens.' : 'Their API tokens stay in force.'}`;
}

/** @param options with `more`, the grant is added to those the user has */
export function setFileGrant(file: string, text: string, options: GrantOptions & { more?: true }): string {
  const name = nameIn(text);
  const grant = grantIn(options);
  let shown = '';
  changeUsers(file, (users) => {
    const user = existing(users, name);
    user.grants = parseOrThrow(grantsSchema, options.more ? [...user.grants, grant] : [grant], 'Grants');
    shown = user.grants.map(describe).join('; ');
    return users;
  });
  return `${name} may now: ${shown}. It counts with their next request.`;
}

/** Sessions and API tokens of the user end with their next request. */
export function removeFileUser(file: string, text: string): string {
  const name = nameIn(text);
  changeUsers(file, (users) => {
    const gone = existing(users, name);
    return users.filter((user) => user !== gone);
  });
  return `${name} is removed. Their sessions and API tokens have ended; a new user of that name does not get them back.`;
}

/** A line for each user. */
export function listFileUsers(file: string): string {
  const users = usersIn(file);
  if (users.length === 0) return `${file} has no users.`;
  return users
    .map((user) => `${user.name}\t${user.grants.map(describe).join('; ')}\t${userIdOf(user)}`)
    .join('\n');
}

/** A file that the console does not know has no effect. */
const hint = (file: string): string =>
  process.env.REDRIVE_USERS_FILE ? '' : `\nTell the console where they are: REDRIVE_USERS_FILE=${file}`;
