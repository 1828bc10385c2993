/** `redrive users|tokens`: those of a console. */
import type { Command } from 'commander';
import { ApiError } from '@/lib/api-client';
import { type Grant, ROLE_NAMES, type Role } from '@/lib/contract/access/grant-scopes';
import { isoDateTime } from '@/lib/format/date-time';
import { type CommandContext, contextOf } from '../terminal/command-context';
import { CommandError, EXIT } from '../terminal/exit-codes';
import { listValue, numberValue } from '../terminal/option-values';
import { tableText } from '../terminal/print-table';
import type { Terminal } from '../terminal/terminal';
import { setDisabledAt, type UserAtRedis, usersAt } from './users-at-redis';
import { addUsersFileCommands } from './users-file-commands';

const grantsText = (grants: readonly Grant[]): string =>
  grants
    .map(
      ({ role, queues, tenants }) =>
        `${role} of ${queues.join(', ')}${tenants ? ` (${tenants.join(', ')})` : ''}`,
    )
    .join('; ');

/** A token never holds the permission `access`, so that a leaked one cannot make others. */
const NEEDS_NO_SIGN_IN =
  '\nNeeds a console with AUTH=none: users, sessions and tokens are managed on the page Access.';
const NEEDS_NO_SIGN_IN_OR_REDIS =
  '\nNeeds a console with AUTH=none, or --redis: where users sign in, the page Access manages them.';
const AT_REDIS = 'straight at this Redis, without a console';

/** Another token or right would not help, as the sentence of the API suggests. @param elsewhere what to do with a sign-in method */
export const explainRefusalBy =
  (elsewhere: string) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError) || !['UNAUTHENTICATED', 'FORBIDDEN'].includes(error.code)) throw error;
    throw new CommandError(
      `This needs a console with AUTH=none, and no API token. With a sign-in method, ${elsewhere}.` +
        ` Nothing was changed.${error.requestId ? ` (request ${error.requestId})` : ''}`,
      EXIT.notAllowed,
    );
  };
const explainRefusal = explainRefusalBy('manage users, sessions and tokens on its page Access');

export function addAccessCommands(program: Command, terminal: Terminal): void {
  const users = program.command('users').description('users of a console, and of its users file');
  users
    .command('list', { isDefault: true })
    .description('list users and what they may do')
    .option('--redis <url>', AT_REDIS)
    .action(async ({ redis }, command: Command) => {
      const context = contextOf(command, terminal);
      if (redis) return showUsersAt(context, await usersAt(redis, terminal));
      const reply = await context.api.listUsers().catch(explainRefusal);
      context.show(reply, ({ users: rows }) =>
        tableText(
          ['USER', 'NAME', 'MAY', 'SESSIONS', 'LAST SEEN', 'STATE'],
          rows.map((row) => [
            row.id,
            row.name,
            grantsText(row.grants),
            row.sessions,
            isoDateTime(row.lastSeenAt),
            row.disabled ? 'disabled' : row.removed ? 'removed' : 'active',
          ]),
          'There are no users.',
        ),
      );
    });
  for (const action of ['disable', 'enable'] as const)
    users
      .command(`${action} <id>`)
      .description(
        action === 'disable'
          ? 'end the sessions of a user and let them sign in no more'
          : 'let a user sign in again',
      )
      .requiredOption('--reason <text>', 'why')
      .option('--redis <url>', AT_REDIS)
      .action(async (id: string, { reason, redis }, command: Command) => {
        const context = contextOf(command, terminal);
        await context.confirm(`${action} ${id}.`);
        const body = { disabled: action === 'disable', reason };
        const { idempotencyKey } = context;
        const user = redis
          ? await setDisabledAt(redis, terminal, { id, ...body })
          : await context.api.changeUser({ params: { id }, body, idempotencyKey }).catch(explainRefusal);
        context.show(user, ({ name, disabled }) => `${name} is ${disabled ? 'disabled' : 'enabled'}.`);
      });
  for (const command of [users, ...users.commands]) command.addHelpText('after', NEEDS_NO_SIGN_IN_OR_REDIS);
  addUsersFileCommands(users, terminal);
  addTokenCommands(program, terminal);
}

function showUsersAt(context: CommandContext, reply: { users: readonly UserAtRedis[] }): void {
  context.show(reply, ({ users }) =>
    tableText(
      ['USER', 'NAME', 'SESSIONS', 'LAST SEEN', 'STATE'],
      users.map(({ id, name, sessions, lastSeenAt, disabled }) => [
        id,
        name,
        sessions,
        isoDateTime(lastSeenAt),
        disabled ? 'disabled' : 'active',
      ]),
      'No user has signed in.',
    ),
  );
}

function addTokenCommands(program: Command, terminal: Terminal): void {
  const tokens = program
    .command('tokens')
    .description('list, create and revoke API tokens')
    .addHelpText('afterAll', NEEDS_NO_SIGN_IN);
  tokens
    .command('list', { isDefault: true })
    .description('list your API tokens')
    .option('--all', 'those of all users')
    .action(async ({ all }, command: Command) => {
      const context = contextOf(command, terminal);
      const reply = await context.api.listTokens({ query: all ? { all: '1' } : {} }).catch(explainRefusal);
      context.show(reply, ({ tokens: rows }) =>
        tableText(
          ['TOKEN', 'NAME', 'OF', 'MAY', 'EXPIRES', 'LAST USED', 'STATE'],
          rows.map((row) => [
            row.id,
            row.name,
            row.owner.name,
            grantsText(row.grants),
            isoDateTime(row.expiresAt),
            isoDateTime(row.lastUsedAt),
            row.endedBy ?? 'valid',
          ]),
          'There are no API tokens.',
        ),
      );
    });
  tokens
    .command('create <name>')
    .description('create an API token; its text is printed once')
    .requiredOption('--role <role>', ROLE_NAMES.join(', '))
    .option('--queues <names>', 'for these queues, with commas (default: all)', listValue)
    .option('--tenants <names>', 'for these tenants, with commas (default: all)', listValue)
    .option('--days <count>', 'valid for so many days (default 90)', numberValue)
    .action(async (name: string, { role, queues, tenants, days }, command: Command) => {
      const context = contextOf(command, terminal);
      const grants = [{ role: role as Role, queues: queues ?? ['*'], tenants: tenants ?? null }];
      const { idempotencyKey } = context;
      const reply = await context.api
        .createToken({ body: { name, grants, expiresInDays: days }, idempotencyKey })
        .catch(explainRefusal);
      context.show(reply, ({ token }) => token);
    });
  tokens
    .command('revoke <id>')
    .description('revoke an API token')
    .option('--reason <text>', 'why')
    .action(async (id: string, { reason }, command: Command) => {
      const context = contextOf(command, terminal);
      await context.confirm(`Revoke API token ${id}.`);
      const { idempotencyKey } = context;
      const reply = await context.api
        .revokeToken({ params: { id }, body: { reason }, idempotencyKey })
        .catch(explainRefusal);
      context.show(reply, () => `Revoked ${id}.`);
    });
}
