/** `redrive dead`: search dead letters, and re-drive, purge, suppress, move, edit or export them. */
import { type Command, Option } from 'commander';
import { isoDateTime } from '@/lib/format/date-time';
import { type CommandContext, contextOf } from '../terminal/command-context';
import { numberValue } from '../terminal/option-values';
import { factsText, tableText } from '../terminal/print-table';
import type { Terminal } from '../terminal/terminal';
import { jobsText, NONE_SO_FAR } from './job-commands';
import { runOperation } from './operation-flow';
import { addOperationOptions, previewBodyOf } from './operation-options';

export function addDeadCommands(program: Command, terminal: Terminal): void {
  const dead = program
    .command('dead')
    .description('dead letters: search, groups, re-drive, purge, suppress, move, edit');
  dead
    .command('list [query]', { isDefault: true })
    .alias('search')
    .description('list dead letters that match a query, newest first')
    .option('--limit <count>', 'how many (default 50)', numberValue)
    .option('--cursor <cursor>', 'continue a list')
    .action(async (query: string | undefined, { limit, cursor }, command: Command) => {
      const context = contextOf(command, terminal);
      const page = await context.api.searchDead({ query: { q: query, limit, cursor } });
      context.show(page, () =>
        jobsText(page.jobs, page.nextCursor, page.nextCursor === null && page.matching.exact),
      );
    });
  dead
    .command('count [query]')
    .description('count dead letters by queue, type, tenant, code and class')
    .action(async (query: string | undefined, _, command: Command) => {
      const context = contextOf(command, terminal);
      context.show(await context.api.countDead({ query: { q: query } }), ({ facets, matching }) =>
        tableText(
          ['BY', 'VALUE', 'JOBS'],
          Object.entries(facets).flatMap(([field, rows]) =>
            rows.map(({ value, count }) => [field, value, count]),
          ),
          matching.exact ? 'No dead letter matches.' : NONE_SO_FAR,
        ),
      );
    });
  addGroups(dead, terminal);
  for (const [kind, hint] of CHANGES)
    addOperationOptions(dead.command(`${kind} [query]`).description(hint), [kind]).action(
      (query: string | undefined, options, command: Command) =>
        runOperation(contextOf(command, terminal), previewBodyOf(kind, query, options), options),
    );
}

const CHANGES = [
  ['redrive', 're-drive dead letters: they become ready again'],
  ['purge', 'move dead letters to the trash'],
  ['suppress', 'suppress dead letters'],
  ['move', 're-drive dead letters to another queue'],
  ['edit', 'edit payloads and re-drive'],
] as const;

function addGroups(dead: Command, terminal: Terminal): void {
  dead
    .command('groups [query]')
    .description('list failure groups, most and newest first')
    .action(async (query: string | undefined, _, command: Command) => {
      const context = contextOf(command, terminal);
      context.show(await context.api.listGroups({ query: { q: query } }), ({ groups, matching }) =>
        tableText(
          ['GROUP', 'JOBS', 'STATUS', 'TYPE', 'CODE', 'LAST SEEN', 'NAME OR MESSAGE'],
          groups.map((row) => [
            row.group,
            row.count,
            row.status,
            row.type,
            row.code,
            isoDateTime(row.lastSeen) ?? '–',
            row.name ?? row.message,
          ]),
          matching.exact ? 'No failure group matches.' : NONE_SO_FAR,
        ),
      );
    });
  dead
    .command('show <group>')
    .description('show a failure group')
    .action(async (group: string, _, command: Command) => {
      const context = contextOf(command, terminal);
      showGroup(context, await context.api.getGroup({ params: { group } }));
    });
  dead
    .command('mark <group>')
    .description('name, annotate, resolve, mute or open a failure group')
    .addOption(new Option('--status <status>', 'status').choices(['open', 'resolved', 'muted']))
    .option('--name <text>', 'name')
    .option('--note <text>', 'note')
    .action(async (group: string, { status, name, note }, command: Command) => {
      const context = contextOf(command, terminal);
      const body = { status, name, note };
      showGroup(
        context,
        await context.api.changeGroup({ params: { group }, body, idempotencyKey: context.idempotencyKey }),
      );
    });
}

const showGroup = (
  context: CommandContext,
  group: Awaited<ReturnType<CommandContext['api']['getGroup']>>,
): void =>
  context.show(group, (row) =>
    factsText([
      ['group', row.group],
      ['name', row.name],
      ['note', row.note],
      ['status', row.status],
      ['type', row.type],
      ['class', row.class],
      ['code', row.code],
      ['message', row.message],
      ['jobs', row.count],
      ['first seen', isoDateTime(row.firstSeen)],
      ['last seen', isoDateTime(row.lastSeen)],
      ['queues', row.queues.map(({ value, count }) => `${value} (${count})`).join(', ')],
    ]),
  );
