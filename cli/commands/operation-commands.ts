/** `redrive operations`, and operations on jobs of any state. */
import { Argument, type Command, Option } from 'commander';
import {
  OPERATION_ACTIONS,
  OPERATION_KINDS,
  OPERATION_OUTCOMES,
  OPERATION_STATUSES,
  type OperationKind,
} from '@/lib/contract/operations/operation-kinds';
import { isoDateTime } from '@/lib/format/date-time';
import { contextOf } from '../terminal/command-context';
import { numberValue, rateValue } from '../terminal/option-values';
import { pageText, tableText } from '../terminal/print-table';
import type { Terminal } from '../terminal/terminal';
import { writeContent } from '../terminal/write-content';
import { jobsText } from './job-commands';
import { runOperation, startedText } from './operation-flow';
import { addOperationOptions, previewBodyOf } from './operation-options';
import { endText, watchOperation } from './watch-operation';

export function addOperationCommands(program: Command, terminal: Terminal): void {
  const operations = program.command('operations').description('list, start, watch and control operations');
  operations
    .command('list', { isDefault: true })
    .description('list operations, newest first')
    .addOption(new Option('--status <status>', 'only these').choices(OPERATION_STATUSES))
    .addOption(new Option('--kind <kind>', 'only these').choices(OPERATION_KINDS))
    .option('--limit <count>', 'how many (default 50)', numberValue)
    .option('--cursor <cursor>', 'continue a list')
    .action(async ({ status, kind, limit, cursor }, command: Command) => {
      const context = contextOf(command, terminal);
      const page = await context.api.listOperations({ query: { status, kind, limit, cursor } });
      context.show(page, ({ operations: rows, nextCursor }) =>
        pageText(
          tableText(
            ['OPERATION', 'KIND', 'STATUS', 'MOVED', 'EXPECTED', 'SKIPPED', 'STARTED', 'BY', 'REASON'],
            rows.map((row) => [
              row.id,
              row.kind,
              row.status,
              row.moved,
              row.expected,
              row.skipped,
              isoDateTime(row.createdAt),
              row.actor,
              row.reason,
            ]),
            'There are no operations.',
          ),
          nextCursor,
        ),
      );
    });
  operations
    .command('show <id>')
    .description('show the progress of an operation')
    .action(async (id: string, _, command: Command) => {
      const context = contextOf(command, terminal);
      context.show(await context.api.getOperation({ params: { id } }), endText);
    });
  operations
    .command('watch <id>')
    .description('follow an operation to its end')
    .action((id: string, _, command: Command) => watchOperation(contextOf(command, terminal), id));
  for (const action of OPERATION_ACTIONS)
    operations
      .command(`${action} <id>`)
      .description(`${action} an operation`)
      .option('--reason <text>', 'why')
      .action(async (id: string, { reason }, command: Command) => {
        const context = contextOf(command, terminal);
        const { idempotencyKey } = context;
        const operation = await context.api.controlOperation({
          params: { id, action },
          body: { reason },
          idempotencyKey,
        });
        context.show(operation, endText);
      });
  operations
    .command('undo <id>')
    .description('start the operation that undoes one')
    .requiredOption('--reason <text>', 'why')
    .option('--query <query>', 'only jobs that also match')
    .option('--watch', 'follow it to its end')
    .action(async (id: string, { reason, query, watch }, command: Command) => {
      const context = contextOf(command, terminal);
      await context.confirm(`Undo operation ${id}.`);
      const undo = await context.sendOnce((idempotencyKey) =>
        context.api.undoOperation({ params: { id }, body: { reason, q: query }, idempotencyKey }),
      );
      if (watch) return watchOperation(context, undo.id);
      context.show(undo, startedText);
    });
  operations
    .command('rate <id> <rate>')
    .description('change the rate of a running operation, such as 50 or 90/min')
    .option(
      '--keep-ready-below <jobs>',
      'wait while the queue has more ready jobs (default: any)',
      numberValue,
    )
    .action(async (id: string, rate: string, { keepReadyBelow }, command: Command) => {
      const context = contextOf(command, terminal);
      const body = { rate: { perSecond: rateValue(rate), keepReadyBelow } };
      const { idempotencyKey } = context;
      context.show(await context.api.changeOperation({ params: { id }, body, idempotencyKey }), endText);
    });
  operations
    .command('jobs <id>')
    .description('list the jobs behind a number of an operation')
    .addOption(new Option('--outcome <outcome>', 'which').choices(OPERATION_OUTCOMES).makeOptionMandatory())
    .option('--limit <count>', 'how many (default 50)', numberValue)
    .option('--cursor <cursor>', 'continue a list')
    .action(async (id: string, { outcome, limit, cursor }, command: Command) => {
      const context = contextOf(command, terminal);
      const query = { outcome, limit, cursor };
      const page = await context.api.listOperationJobs({ params: { id }, query });
      context.show(page, () => jobsText(page.jobs, page.nextCursor));
    });
  operations
    .command('file <id>')
    .description('write the file of an export')
    .action(async (id: string, _, command: Command) => {
      const context = contextOf(command, terminal);
      const file = await context.api.downloadOperationFile({ params: { id } });
      await writeContent(terminal, file, context.options.timeout);
    });
  addStart(operations, terminal);
}

function addStart(operations: Command, terminal: Terminal): void {
  const start = operations
    .command('start')
    .description(`start an operation on jobs of any state: ${OPERATION_KINDS.join(', ')}`)
    .addArgument(new Argument('<kind>', 'what to do').choices(OPERATION_KINDS))
    .argument('[query]', 'which jobs');
  addOperationOptions(start, OPERATION_KINDS).action(
    (kind: OperationKind, query: string | undefined, options, command: Command) =>
      runOperation(contextOf(command, terminal), previewBodyOf(kind, query, options), options),
  );
}
