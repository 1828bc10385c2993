/** `redrive dead`: search dead letters, and re-drive, purge, suppress, move, edit or export them. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type PatchStep, patchStepSchema } from '@/lib/contract/operations/operation-request';
import { isoDateTime } from '@/lib/format/date-time';
import { type CommandContext, contextOf } from '../terminal/command-context';
import { jobValue, jsonValue, numberValue, percentValue, rateValue } from '../terminal/option-values';
import { factsText, tableText } from '../terminal/print-table';
import type { Terminal } from '../terminal/terminal';
import { jobsText } from './job-commands';
import { runOperation, type StartOptions } from './operation-flow';

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
      context.show(page, () => jobsText(page.jobs, page.nextCursor));
    });
  dead
    .command('count [query]')
    .description('count dead letters by queue, type, tenant, code and class')
    .action(async (query: string | undefined, _, command: Command) => {
      const context = contextOf(command, terminal);
      context.show(await context.api.countDead({ query: { q: query } }), ({ facets }) =>
        tableText(
          ['BY', 'VALUE', 'JOBS'],
          Object.entries(facets).flatMap(([field, rows]) =>
            rows.map(({ value, count }) => [field, value, count]),
          ),
          'No dead letter matches.',
        ),
      );
    });
  addGroups(dead, terminal);
  addChange(dead, terminal, 'redrive', 're-drive dead letters: they become ready again');
  addChange(dead, terminal, 'purge', 'move dead letters to the trash');
  addChange(dead, terminal, 'suppress', 'suppress dead letters');
  addChange(dead, terminal, 'move', 're-drive dead letters to another queue').requiredOption(
    '--to <queue>',
    'where to',
  );
  addChange(dead, terminal, 'edit', 'edit payloads and re-drive').requiredOption(
    '--patch <json>',
    'RFC 6902: [{"op": "replace", "path": "/to", "value": 1}]',
    patchValue,
  );
}

const patchValue = (text: string): PatchStep[] => {
  const { data } = patchStepSchema.array().min(1).safeParse(jsonValue(text).value);
  if (!data) throw new InvalidArgumentError('Write a list of steps: add, replace, remove, test.');
  return data;
};

type ChangeKind = 'redrive' | 'purge' | 'suppress' | 'move' | 'edit';

function addChange(dead: Command, terminal: Terminal, kind: ChangeKind, hint: string): Command {
  const command = dead
    .command(`${kind} [query]`)
    .description(hint)
    .option('--queue <queue>', 'only this queue')
    .option('--job <queue/id>', 'these jobs instead of a query; repeat it', jobValue)
    .option('--reason <text>', 'why; needed unless --dry-run')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--watch', 'follow it to its end')
    .option('--rate <rate>', 'jobs a second, such as 50 or 90/min', rateValue)
    .action((query: string | undefined, options, self: Command) =>
      runOperation(contextOf(self, terminal), bodyOf(kind, query, options), options as StartOptions),
    );
  if (kind === 'suppress' || kind === 'purge') return command;
  return command
    .option('--canary <jobs>', 'so many jobs first; the others wait until these have ended', numberValue)
    .option('--stop-above <percent>', 'pause when more than this share dies again', percentValue)
    .option('--keep-ready-below <jobs>', 'wait while the queue has more ready jobs', numberValue)
    .option('--include-unsafe', 'also jobs that their error class advises against')
    .addOption(
      new Option('--state <state>', 'dead or suppressed').choices(['dead', 'suppressed']).default('dead'),
    );
}

interface ChangeOptions {
  readonly queue?: string;
  readonly job?: { queue: string; jobId: string }[];
  readonly to?: string;
  readonly patch?: PatchStep[];
  readonly includeUnsafe?: boolean;
  readonly state?: 'dead' | 'suppressed';
}

const bodyOf = (kind: ChangeKind, query: string | undefined, options: ChangeOptions) => ({
  kind,
  scope: {
    state: options.state ?? 'dead',
    ...(options.job ? { jobs: options.job } : { q: query ?? '' }),
    ...(options.queue === undefined ? {} : { queue: options.queue }),
  },
  ...(options.to === undefined ? {} : { target: options.to }),
  ...(options.patch === undefined ? {} : { patch: options.patch }),
  ...(options.includeUnsafe ? { includeUnsafe: true } : {}),
});

function addGroups(dead: Command, terminal: Terminal): void {
  dead
    .command('groups [query]')
    .description('list failure groups, most and newest first')
    .action(async (query: string | undefined, _, command: Command) => {
      const context = contextOf(command, terminal);
      context.show(await context.api.listGroups({ query: { q: query } }), ({ groups }) =>
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
          'No failure group matches.',
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
