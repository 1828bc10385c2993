/** `redrive jobs`: list, show, find, and act on one job. */
import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { JOB_ACTIONS, type JobAction } from '@/lib/contract/jobs/job-actions';
import type { JobPage } from '@/lib/contract/jobs/job-schemas';
import { JOB_STATES } from '@/lib/contract/jobs/job-states';
import { findEventSchema } from '@/lib/contract/search/find-schemas';
import { isoDateTime } from '@/lib/format/date-time';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { type CommandContext, contextOf } from '../terminal/command-context';
import { CommandError, EXIT } from '../terminal/exit-codes';
import { numberValue } from '../terminal/option-values';
import { factsText, pageText, tableText } from '../terminal/print-table';
import { readLines } from '../terminal/read-content';
import type { Terminal } from '../terminal/terminal';

type FindEnd = Extract<z.output<typeof findEventSchema>, { end: unknown }>['end'];

const HINTS: Readonly<Record<JobAction, string>> = {
  promote: 'make a scheduled or retrying job ready now',
  cancel: 'cancel a job that has not ended',
  redrive: 're-drive a dead or suppressed job',
  suppress: 'suppress a dead job',
  purge: 'move a dead or suppressed job to the trash',
  restore: 'restore a trashed or suppressed job',
  remove: 'delete a job for good',
};
/** After these a job does not run. */
const ENDING: ReadonlySet<JobAction> = new Set(['cancel', 'purge', 'remove']);

export const NONE_SO_FAR = 'No match so far: not all jobs were looked at.';

/** @param isWhole false: not every job was looked at */
export const jobsText = (
  jobs: JobPage['jobs'],
  nextCursor: string | null,
  isWhole = nextCursor === null,
): string =>
  pageText(
    tableText(
      ['QUEUE', 'JOB', 'STATE', 'TYPE', 'TENANT', 'ATTEMPT', 'ENTERED OR DUE', 'ERROR'],
      jobs.map((job) => [
        job.queue,
        job.jobId,
        job.state,
        job.jobType,
        job.tenantId,
        `${job.attempt}/${job.maxAttempts}`,
        isoDateTime(job.stateAt) ?? '–',
        [job.errorCode, job.message].filter(Boolean).join(' '),
      ]),
      isWhole ? 'No job matches.' : NONE_SO_FAR,
    ),
    nextCursor,
  );

/** The search of the page ended, in all shards. */
const isWholePage = ({ nextCursor, exact = true, unavailable = [] }: JobPage): boolean =>
  nextCursor === null && exact && unavailable.length === 0;

export function addJobCommands(program: Command, terminal: Terminal): void {
  const jobs = program.command('jobs').description('list, show and find jobs, or act on one');
  jobs
    .command('list <queue>')
    .description('list the jobs of a queue in one state')
    .addOption(new Option('--state <state>', 'state').choices(JOB_STATES).default('ready'))
    .option('--query <query>', 'query language, such as type:invoice.*')
    .option('--limit <count>', 'how many (default 50)', numberValue)
    .option('--cursor <cursor>', 'continue a list')
    .action(async (queue: string, { state, query, limit, cursor }, command: Command) => {
      const context = contextOf(command, terminal);
      const page = await context.api.listJobs({
        params: { queue },
        query: { state, q: query, limit, cursor },
      });
      context.show(page, () => jobsText(page.jobs, page.nextCursor, isWholePage(page)));
    });
  jobs
    .command('show <queue> <id>')
    .description('show a job with payload and history')
    .action(async (queue: string, id: string, _, command: Command) => {
      const context = contextOf(command, terminal);
      const job = await context.api.getJob({ params: { queue, id } });
      context.show(job, ({ envelope, state, payload, history }) =>
        [
          factsText([
            ['queue', queue],
            ['job', id],
            ['state', state],
            ['type', envelope.jobType],
            ['tenant', envelope.tenantId],
            ['payload', payload],
          ]),
          tableText(
            ['AT', 'EVENT', 'RUN', 'BY', 'ERROR OR REASON'],
            history.map(({ at, kind, delivery, worker, actor, errorCode, message, reason }) => [
              isoDateTime(at) ?? '–',
              kind,
              delivery,
              actor ?? worker,
              [errorCode, message, reason].filter(Boolean).join(' '),
            ]),
            'No history.',
          ),
        ].join('\n\n'),
      );
    });
  jobs
    .command('unmask <queue> <id>')
    .description('show the payload of a job with its hidden values; recorded in the audit log')
    .requiredOption('--reason <text>', 'why')
    .action(async (queue: string, id: string, { reason }, command: Command) => {
      const context = contextOf(command, terminal);
      const { idempotencyKey } = context;
      const input = { params: { queue, id }, body: { reason }, idempotencyKey };
      context.show(await context.api.unmaskJob(input), ({ payload }) => payload);
    });
  jobs
    .command('find <reference>')
    .description('find jobs of all queues by id, uniqueness key or idempotency key')
    .option('--all', 'look at all jobs for a correlation id or trace id, or an older idempotency key')
    .action(async (reference: string, { all }, command: Command) => {
      const context = contextOf(command, terminal);
      if (all) return findAmongAll(context, reference);
      const reply = await context.api.findJobs({ query: { q: reference } });
      context.show(reply, ({ jobs: found, more, unasked = 0, unavailable = [] }) =>
        [
          tableText(
            ['QUEUE', 'JOB', 'STATE', 'TYPE'],
            found.map(({ queue, jobId, state, jobType }) => [queue, jobId, state, jobType]),
            'No job found by id, uniqueness key or idempotency key.',
          ),
          ...(more ? ['There are more: name a queue with redrive jobs show.'] : []),
          ...(unasked + unavailable.length > 0 ? ['Not every shard was searched: jobs may be missing.'] : []),
        ].join('\n'),
      );
    });
  for (const action of Object.keys(JOB_ACTIONS) as JobAction[]) addAction(jobs, terminal, action);
}

/** As many as the console looks at in one search; the reply says if there were more. */
async function findAmongAll(context: CommandContext, q: string): Promise<void> {
  const stream = await context.api.streamFind({ query: { q } });
  const jobs: JobPage['jobs'] = [];
  for await (const event of readLines(stream, findEventSchema, context.options.timeout)) {
    if ('error' in event) throw new CommandError(event.error.detail, EXIT.unreachable);
    if ('jobs' in event) jobs.push(...event.jobs);
    if (!('end' in event)) continue;
    const { end } = event;
    return context.show({ jobs, end }, () =>
      [
        jobs.length === 0 ? 'No job found by this reference.' : jobsText(jobs, null),
        `Looked at ${fullNumber(end.scanned)} of ${count(end.of, 'job')}.${isWhole(end) ? '' : ' There may be more.'}`,
      ].join('\n'),
    );
  }
  throw new CommandError('The connection broke: the output is not complete.', EXIT.unreachable);
}

const isWhole = ({ stopped, states, unasked = 0, unavailable = [] }: FindEnd): boolean =>
  stopped === null && states.length === 0 && unasked === 0 && unavailable.length === 0;

function addAction(jobs: Command, terminal: Terminal, action: JobAction): void {
  jobs
    .command(`${action} <queue> <id>`)
    .description(HINTS[action])
    .option('--reason <text>', 'why')
    .action(async (queue: string, id: string, { reason }, command: Command) => {
      const context = contextOf(command, terminal);
      if (ENDING.has(action)) await context.confirm(`${action} job ${id} of ${queue}.`);
      const input = { params: { queue, id }, body: { reason }, idempotencyKey: context.idempotencyKey };
      context.show(await context.api[`${action}Job`](input), () => `${action}: done.`);
    });
}
