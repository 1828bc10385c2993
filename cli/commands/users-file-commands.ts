/** `redrive users file add|passwd|grant|remove|list` (`npm run user`): local users, in a file where the console runs. */
import { type Command, Option } from 'commander';
import { ROLE_NAMES, ROLES } from '@/lib/contract/access/grant-scopes';
import { CommandError, EXIT } from '../terminal/exit-codes';
import { listValue } from '../terminal/option-values';
import type { Terminal } from '../terminal/terminal';

const PASSWORD_HELP = `
The password is asked for, or read as one line of standard input.
Roles: ${ROLE_NAMES.map((role) => `${role} (${ROLES[role].join(', ')})`).join('\n       ')}`;

const ERROR_HELP =
  '(add --help for the options; a name with spaces in quotes; a password is never part of the command: it is asked for, and others on this machine can see a command)';

/** Not in the package: hashing passwords takes a native module, which libraries need not install. */
const loadFile = () =>
  import('../change-users-file').catch(() => {
    throw new CommandError('The users file is kept where the console runs: npm run user there.', EXIT.usage);
  });

export function addUsersFileCommands(users: Command, { env, out }: Terminal): void {
  const group = users
    .command('file')
    .description('local users of the users file: add, passwd, grant, remove, list')
    .showHelpAfterError(ERROR_HELP)
    .addHelpText('afterAll', PASSWORD_HELP);
  const command = (usage: string, description: string): Command =>
    group
      .command(usage)
      .description(description)
      .option('--file <path>', 'the file (default: REDRIVE_USERS_FILE, or users.json)');
  const pathOf = ({ file }: { file?: string }): string => file ?? env.REDRIVE_USERS_FILE ?? 'users.json';

  addGrantOptions(command('add <name>', 'add a user; asks for the password')).action(async (name, options) =>
    out(await (await loadFile()).addFileUser(pathOf(options), name, options)),
  );
  command('passwd <name>', 'set another password; sessions begun with the old one end')
    .addOption(
      new Option(
        '--tokens <choice>',
        'whether the API tokens of the user end, too; without it, asks',
      ).choices(['end', 'keep']),
    )
    .action(async (name, options) =>
      out(await (await loadFile()).setFilePassword(pathOf(options), name, options)),
    );
  addGrantOptions(command('grant <name>', 'set what a user may do'))
    .option('--more', 'add it to what they may do already')
    .action(async (name, options) => out((await loadFile()).setFileGrant(pathOf(options), name, options)));
  command('remove <name>', 'remove a user; their sessions and API tokens end, for good').action(
    async (name, options) => out((await loadFile()).removeFileUser(pathOf(options), name)),
  );
  command('list', 'list the users of the file, what they may do, and their ids').action(async (options) =>
    out((await loadFile()).listFileUsers(pathOf(options))),
  );
}

const addGrantOptions = (command: Command): Command =>
  command
    .addOption(new Option('--role <role>', 'what the user may do').choices(ROLE_NAMES).makeOptionMandatory())
    .option('--queues <names>', 'of these queues, with commas: names, or beginnings that end in *', listValue)
    .option('--tenants <names>', 'of these tenants, with commas (default: all)', listValue);
