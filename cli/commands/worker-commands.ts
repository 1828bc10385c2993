/** `redrive workers`. */
import type { Command } from 'commander';
import { isoDateTime } from '@/lib/format/date-time';
import { contextOf } from '../terminal/command-context';
import { tableText } from '../terminal/print-table';
import type { Terminal } from '../terminal/terminal';
import { addWorkerRequests } from './control-workers';

export function addWorkerCommands(program: Command, terminal: Terminal): void {
  const workers = program.command('workers').description('list workers, quiet, resume and stop them');
  workers
    .command('list', { isDefault: true })
    .description('list the workers of the last day')
    .action(async (_, command: Command) => {
      const context = contextOf(command, terminal);
      context.show(await context.api.listWorkers(), ({ workers: rows }) =>
        tableText(
          ['WORKER', 'STATUS', 'HOST', 'JOBS', 'CONCURRENCY', 'COMPLETED', 'FAILED', 'LAST SEEN', 'QUEUES'],
          rows.map((row) => [
            row.workerId,
            row.status,
            row.host,
            row.jobs.length,
            row.concurrency,
            row.completed,
            row.failed,
            isoDateTime(row.lastSeenAt),
            Object.keys(row.queues).join(', '),
          ]),
          'No worker was seen in the last day.',
        ),
      );
    });
  workers
    .command('jobs <id>')
    .description('list the jobs that a worker holds, or held when it ended')
    .action(async (id: string, _, command: Command) => {
      const context = contextOf(command, terminal);
      context.show(await context.api.listWorkerJobs({ params: { id } }), ({ jobs }) =>
        tableText(
          ['QUEUE', 'JOB', 'STATE'],
          jobs.map(({ queue, jobId, state }) => [queue, jobId, state ?? 'deleted']),
          'It holds no job.',
        ),
      );
    });
  addWorkerRequests(workers, terminal);
}
