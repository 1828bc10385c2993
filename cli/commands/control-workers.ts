/** `redrive workers quiet|resume|stop`. */
import type { Command } from 'commander';
import { WORKER_ACTIONS } from '@/lib/contract/workers/worker-limits';
import type { RequestOutcome, WorkerAction } from '@/lib/contract/workers/worker-requests';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { count } from '@/lib/format/plural';
import { type CommandContext, contextOf } from '../terminal/command-context';
import { CommandError, EXIT } from '../terminal/exit-codes';
import { tableText } from '../terminal/print-table';
import type { Terminal } from '../terminal/terminal';

const HINTS: Readonly<Record<WorkerAction, string>> = {
  quiet: 'ask workers to take no new jobs and finish those they have',
  resume: 'ask quiet workers to take jobs again',
  stop: 'ask workers to finish or return their jobs and exit with 0',
};
const OUTCOMES: Readonly<Record<RequestOutcome, string>> = {
  requested: 'asked',
  unchanged: 'asked before, or so already',
  stopping: 'stops already',
  unsupported: 'not asked: its version takes no requests; stop it where it runs',
  'not-alive': 'not asked: no such live worker',
};
const REACHED: ReadonlySet<RequestOutcome> = new Set(['requested', 'unchanged']);

interface Choice {
  readonly all?: boolean;
  readonly queue?: string;
  readonly host?: string;
  readonly release?: string;
}

export function addWorkerRequests(workers: Command, terminal: Terminal): void {
  for (const action of WORKER_ACTIONS)
    workers
      .command(`${action} [ids...]`)
      .description(HINTS[action])
      .requiredOption('--reason <text>', 'why')
      .option('--all', 'all live workers')
      .option('--queue <queue>', 'live workers that serve this queue')
      .option('--host <host>', 'live workers on this host')
      .option('--release <version>', 'live workers of this version of the application')
      .action(async (ids: string[], { reason, ...choice }, command: Command) => {
        const context = contextOf(command, terminal);
        const chosen =
          ids.length > 0
            ? await namedWorkers(context, action, ids, choice)
            : await groupOf(context, action, choice);
        const body = { action, workers: chosen, reason };
        const reply = await context.sendOnce((idempotencyKey) =>
          context.api.requestWorkers({ body, idempotencyKey }),
        );
        context.show(reply, ({ results }) =>
          tableText(
            ['WORKER', 'OUTCOME'],
            results.map(({ workerId, outcome }) => [workerId, OUTCOMES[outcome]]),
            'No worker was asked.',
          ),
        );
        const left = reply.results.filter(({ outcome }) => !REACHED.has(outcome)).length;
        if (left > 0) throw new CommandError(`${count(left, 'worker')} not asked.`, EXIT.refused);
      });
}

async function namedWorkers(
  context: CommandContext,
  action: WorkerAction,
  ids: string[],
  choice: Choice,
): Promise<string[]> {
  if (Object.keys(choice).length > 0)
    throw new CommandError(
      'Name workers, or choose them by --all, --queue, --host or --release: not both.',
      EXIT.usage,
    );
  if (action === 'stop') await context.confirm(`Stop ${ids.join(', ')}.`);
  return ids;
}

/** Confirmed by the number of workers. */
async function groupOf(
  context: CommandContext,
  action: WorkerAction,
  { all, queue, host, release }: Choice,
): Promise<string[]> {
  if (!all && queue === undefined && host === undefined && release === undefined)
    throw new CommandError(
      'Say which workers: their ids, or --all, --queue, --host or --release.',
      EXIT.usage,
    );
  const fits = (worker: Worker) =>
    worker.end === null &&
    (queue === undefined || Object.hasOwn(worker.queues, queue)) &&
    (host === undefined || worker.host === host) &&
    (release === undefined || worker.version === release);
  const chosen = (await context.api.listWorkers()).workers.filter(fits);
  if (chosen.length === 0) throw new CommandError('No live worker fits.', EXIT.notFound);
  const jobs = chosen.reduce((sum, worker) => sum + worker.jobs.length, 0);
  await context.confirm(
    `${action} ${count(chosen.length, 'worker')} with ${count(jobs, 'job')} in flight.`,
    String(chosen.length),
  );
  return chosen.map(({ workerId }) => workerId);
}
