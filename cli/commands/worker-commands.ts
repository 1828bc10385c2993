/** `redrive workers`. */
import type { Command } from 'commander';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { isoDateTime } from '@/lib/format/date-time';
import { count } from '@/lib/format/plural';
import { contextOf } from '../terminal/command-context';
import { tableText } from '../terminal/print-table';
import type { Terminal } from '../terminal/terminal';
import { addWorkerRequests } from './control-workers';

/** `mail.send open after 5 failures, until 2026-11-20T13:08:16.000Z`. */
const breakersText = ({ breakers }: Worker): string =>
  breakers
    .filter(({ state }) => state !== 'closed')
    .map(({ jobType, state, failures, retryAt }) => {
      const until = isoDateTime(retryAt);
      return `${jobType} ${state} after ${count(failures, 'failure')}${until ? `, until ${until}` : ''}`;
    })
    .join('; ') || '–';

export function addWorkerCommands(program: Command, terminal: Terminal): void {
  const workers = program.command('workers').description('list workers, quiet, resume and stop them');
  workers
    .command('list', { isDefault: true })
    .description('list the workers of the last day')
    .action(async (_, command: Command) => {
      const context = contextOf(command, terminal);
      context.show(await context.api.listWorkers(), ({ workers: rows }) =>
        tableText(
          [
            ...['WORKER', 'STATUS', 'ENDED BY', 'HOST', 'JOBS', 'CONCURRENCY', 'COMPLETED', 'FAILED'],
            ...['LAST SEEN', 'QUEUES', 'BREAKERS'],
          ],
          rows.map((row) => [
            row.workerId,
            row.status,
            row.end?.cause,
            row.host,
            row.jobs.length,
            row.concurrency,
            row.completed,
            row.failed,
            isoDateTime(row.lastSeenAt),
            Object.keys(row.queues).join(', '),
            breakersText(row),
          ]),
          'No worker is on record.',
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
