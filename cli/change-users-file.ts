/** `redrive users file add|passwd|grant|remove|list` (`npm run user`): the users who sign in by password. */
import { parseArgs } from 'node:util';
import { hash } from '@node-rs/argon2';
import type { LocalUser } from '@/lib/contract/access/access-schemas';
import { type Grant, ROLE_NAMES, ROLES } from '@/lib/contract/access/grant-scopes';
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

const HELP = `Usage: npm run user -- <command> [name] [options]

  add <name> --role <role>     adds a user; asks for the password
  passwd <name>                sets another password; sessions begun with the old one end, and
                               with --tokens end the user's API tokens, too (keep: they stay)
  grant <name> --role <role>   sets what the user may do; with --more it is added to what they have
  remove <name>                removes the user; their sessions and API tokens end, for good
  list                         shows users, what they may do, and their ids

  --role     ${ROLE_NAMES.map((role) => `${role} (${ROLES[role].join(', ')})`).join('\n             ')}
  --queues   queues it holds for, with commas: exact names, or beginnings that end in * (default: all)
  --tenants  tenants it holds for, with commas (default: all)
  --tokens   end or keep; without it, passwd asks
  --file     the file (default: REDRIVE_USERS_FILE, or users.json)

The password is asked for, or read as one line of standard input. It is never part of the command.`;

type Options = {
  role?: string;
  queues?: string;
  tenants?: string;
  file?: string;
  tokens?: string;
  more?: boolean;
  help?: boolean;
};

const refusal = (sentence: string) => new CommandError(sentence, EXIT.refused);
const misuse = (sentence: string) => new CommandError(sentence, EXIT.usage);

const listOf = (text: string | undefined): string[] | undefined =>
  text
    ?.split(',')
    .map((part) => part.trim())
    .filter(Boolean);

function grantIn({ role, queues, tenants }: Options): Grant {
  if (role === undefined) throw misuse(`Say what the user may do: --role ${ROLE_NAMES.join(', --role ')}.`);
  return parseOrThrow(
    grantSchema,
    {
      role,
      ...(queues === undefined ? {} : { queues: listOf(queues) }),
      ...(tenants === undefined ? {} : { tenants: listOf(tenants) }),
    },
    'The grant',
  );
}

async function newHash(name: string): Promise<string> {
  const password = await readPassword(name).catch((error: Error) => {
    throw new CommandError(error.message, EXIT.notConfirmed);
  });
  const problem = passwordProblem(password, name);
  if (problem) throw refusal(`${problem} Nothing was changed.`);
  return hash(password, PASSWORD_HASH);
}

/** Programs go on with their tokens, or stop: only the administrator who types this knows which is right. */
async function tokensEnd({ tokens }: Options, name: string): Promise<boolean> {
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

function nameIn(words: string[]): string {
  const [name, ...more] = words;
  if (name === undefined) throw misuse('Say who: npm run user -- <command> <name>.');
  if (more.length > 0)
    throw misuse(
      'One name only, in quotes if it holds spaces. A password is never part of the command: it is asked for, and others on this machine can see a command.',
    );
  return parseOrThrow(userNameSchema, name.normalize('NFC'), 'The name');
}

const describe = ({ role, queues, tenants }: Grant): string =>
  `${role} of ${queues.join(', ') === '*' ? 'all queues' : queues.join(', ')}${tenants ? `, tenants ${tenants.join(', ')}` : ''}`;

const commands: Record<string, (file: string, words: string[], options: Options) => Promise<string>> = {
  async add(file, words, options) {
    const name = nameIn(words);
    const grants = [grantIn(options)];
    const taken = () => refusal(`There is a user ${name} already. Another password: npm run user -- passwd.`);
    if (usersIn(file).some(isCalled(name))) throw taken();
    const user = { id: newUserId(), name, hash: await newHash(name), grants };
    changeUsers(file, (users) => {
      if (users.some(isCalled(name))) throw taken();
      return [...users, user];
    });
    return `Added ${name}: ${grants.map(describe).join('; ')}.${hint(file)}`;
  },
  async passwd(file, words, options) {
    const name = nameIn(words);
    existing(usersIn(file), name);
    const end = await tokensEnd(options, name);
    const made = await newHash(name);
    changeUsers(file, (users) => {
      const user = existing(users, name);
      user.hash = made;
      if (end) user.tokenGeneration = tokenGenerationOf(user) + 1;
      return users;
    });
    return `${name} has another password. Sessions begun with the old one have ended. ${end ? 'So have their API tokens.' : 'Their API tokens stay in force.'}`;
  },
  async grant(file, words, options) {
    const name = nameIn(words);
    const grant = grantIn(options);
    let shown = '';
    changeUsers(file, (users) => {
      const user = existing(users, name);
      user.grants = parseOrThrow(grantsSchema, options.more ? [...user.grants, grant] : [grant], 'Grants');
      shown = user.grants.map(describe).join('; ');
      return users;
    });
    return `${name} may now: ${shown}. It counts with their next request.`;
  },
  async remove(file, words) {
    const name = nameIn(words);
    changeUsers(file, (users) => {
      const gone = existing(users, name);
      return users.filter((user) => user !== gone);
    });
    return `${name} is removed. Their sessions and API tokens have ended; a new user of that name does not get them back.`;
  },
  async list(file) {
    const users = usersIn(file);
    if (users.length === 0) return `${file} has no users.`;
    return users
      .map((user) => `${user.name}\t${user.grants.map(describe).join('; ')}\t${userIdOf(user)}`)
      .join('\n');
  },
};

/** A file that the console does not know has no effect. */
const hint = (file: string): string =>
  process.env.REDRIVE_USERS_FILE ? '' : `\nTell the console where they are: REDRIVE_USERS_FILE=${file}`;

/** @throws CommandError for options that there are not */
function wordsIn(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        role: { type: 'string' },
        queues: { type: 'string' },
        tenants: { type: 'string' },
        file: { type: 'string' },
        tokens: { type: 'string' },
        more: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw misuse((error as Error).message);
  }
}

/** @returns what was done. @throws CommandError; then nothing was changed */
export async function changeUsersFile(args: readonly string[]): Promise<string> {
  const { values, positionals } = wordsIn(args);
  const [command, ...words] = positionals;
  if (values.help || command === undefined) return HELP;
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!run) throw misuse(`There is no command ${command}.\n\n${HELP}`);
  return run(values.file ?? process.env.REDRIVE_USERS_FILE ?? 'users.json', words, values);
}
