/** `redrive queues|pause|resume|drain|reclaim`. */
import { type Command, Option } from 'commander';
import { QUEUE_PAGE_DEFAULT, QUEUE_SORTS } from '@/lib/contract/queues/queue-limits';
import { duration } from '@/lib/format/duration';
import { contextOf } from '../terminal/command-context';
import { durationValue, numberValue } from '../terminal/option-values';
import { tableText } from '../terminal/print-table';
import type { Terminal } from '../terminal/terminal';
import { pausesText, queueText } from './queue-text';

export function addQueueCommands(program: Command, terminal: Terminal): void {
  const queues = program.command('queues').description('list queues, or show one');
  queues
    .command('list', { isDefault: true })
    .description('list queues, those in most trouble first')
    .option('--search <text>', 'part of the name')
    .addOption(new Option('--sort <order>', 'what to sort by').choices(QUEUE_SORTS))
    .option('--limit <count>', `how many (default ${QUEUE_PAGE_DEFAULT})`, numberValue)
    .option('--cursor <cursor>', 'continue a list')
    .action(async (_, command: Command) => {
      const { search, sort, limit, cursor } = command.opts();
      const context = contextOf(command, terminal);
      const page = await context.api.listQueues({ query: { q: search, sort, limit, cursor } });
      context.show(page, ({ queues: rows, matching, nextCursor, verdict }) =>
        [
          ...verdict.findings.map(({ sentence }) => `! ${sentence}`),
          tableText(
            ['QUEUE', 'READY', 'IN-FLIGHT', 'SCHEDULED', 'RETRY', 'DEAD', 'OLDEST', 'WORKERS', 'STATE'],
            rows.map((row) => [
              row.queue,
              row.counts.ready,
              row.counts['in-flight'],
              row.counts.scheduled,
              row.counts.retry,
              row.counts.dead,
              duration(row.oldestReadyAgeMs),
              row.workers,
              [row.level, row.pauses.length > 0 && 'paused', row.draining && 'draining']
                .filter(Boolean)
                .join(', '),
            ]),
            'There are no queues.',
          ),
          nextCursor === null
            ? ''
            : `${rows.length} of ${matching}. There is more. Continue with --cursor ${nextCursor}`,
        ]
          .filter(Boolean)
          .join('\n'),
      );
    });
  queues
    .command('show <queue>')
    .description('show every number of a queue')
    .action(async (queue: string, _, command: Command) => {
      const context = contextOf(command, terminal);
      context.show(await context.api.getQueue({ params: { queue } }), (reply) => queueText(reply.queue));
    });
  addChanges(program, terminal);
}

function addChanges(program: Command, terminal: Terminal): void {
  const scope = () => new Option('--scope <scope>', 'queue, tenant:<name> or type:<name>').default('queue');
  program
    .command('pause <queue>')
    .description('pause a queue, or one tenant or type of it')
    .requiredOption('--reason <text>', 'why')
    .addOption(scope())
    .option('--for <duration>', 'resume after that time', durationValue)
    .action(async (queue: string, options, command: Command) => {
      const context = contextOf(command, terminal);
      const reply = await context.api.pauseQueue({
        params: { queue },
        body: { reason: options.reason, scope: options.scope, forMs: options.for },
        idempotencyKey: context.idempotencyKey,
      });
      context.show(reply, ({ pauses }) => pausesText(queue, pauses));
    });
  program
    .command('resume <queue>')
    .description('resume what a pause stopped')
    .option('--reason <text>', 'why')
    .addOption(scope())
    .action(async (queue: string, options, command: Command) => {
      const context = contextOf(command, terminal);
      const reply = await context.api.resumeQueue({
        params: { queue },
        body: { reason: options.reason, scope: options.scope },
        idempotencyKey: context.idempotencyKey,
      });
      context.show(reply, ({ pauses }) => pausesText(queue, pauses));
    });
  program
    .command('drain <queue>')
    .description('refuse new jobs while the old ones finish')
    .requiredOption('--reason <text>', 'why')
    .option('--end', 'take new jobs again')
    .action(async (queue: string, options, command: Command) => {
      const context = contextOf(command, terminal);
      const reply = await context.api.drainQueue({
        params: { queue },
        body: { draining: !options.end, reason: options.reason },
        idempotencyKey: context.idempotencyKey,
      });
      context.show(reply, ({ draining }) =>
        draining ? `${queue} is draining: it refuses new jobs.` : `${queue} takes new jobs.`,
      );
    });
  program
    .command('reclaim <queue>')
    .description('run reclaim sweep: return jobs whose lease expired')
    .action(async (queue: string, _, command: Command) => {
      const context = contextOf(command, terminal);
      const { idempotencyKey } = context;
      context.show(
        await context.api.reclaimQueue({ params: { queue }, idempotencyKey }),
        ({ reclaimed }) => `Reclaimed jobs: ${reclaimed}.`,
      );
    });
}
