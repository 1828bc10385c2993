/** `redrive schedules`. */
import type { Command } from 'commander';
import type { Schedule, ScheduleRequest } from '@/lib/contract/schedules/schedule-schemas';
import type { MissingHandler } from '@/lib/contract/workers/handler-table';
import { isoDateTime } from '@/lib/format/date-time';
import { contextOf } from '../terminal/command-context';
import { jsonValue, numberValue } from '../terminal/option-values';
import { pageText, tableText } from '../terminal/print-table';
import type { Terminal } from '../terminal/terminal';

type Listed = Pick<Schedule, 'id' | 'queue' | 'timing' | 'paused' | 'nextAt' | 'last'> & {
  job: { jobType: string };
  /** Lists have it, and one schedule; answers to changes do not. */
  missingHandler?: MissingHandler | null;
};

const timingText = ({ timing }: Listed): string =>
  Object.values(timing)
    .filter((value) => value !== null && value !== undefined)
    .join(' ');

const MISSING: Readonly<Record<MissingHandler, string>> = {
  'unknown-type': 'no worker knows the type',
  'unknown-version': 'no worker knows the version',
};

const stateText = ({ paused, missingHandler }: Listed): string =>
  [paused ? 'paused' : 'active', ...(missingHandler ? [MISSING[missingHandler]] : [])].join(', ');

const schedulesText = (schedules: readonly Listed[]): string =>
  tableText(
    ['SCHEDULE', 'QUEUE', 'TYPE', 'TIMING', 'LAST', 'OUTCOME', 'NEXT', 'STATE'],
    schedules.map((row) => [
      row.id,
      row.queue,
      row.job.jobType,
      timingText(row),
      isoDateTime(row.last?.fireTime),
      row.last?.outcome,
      isoDateTime(row.nextAt),
      stateText(row),
    ]),
    'There are no schedules.',
  );

export function addScheduleCommands(program: Command, terminal: Terminal): void {
  const schedules = program
    .command('schedules')
    .description('list, create, change, pause, resume, run and delete schedules');
  schedules
    .command('list', { isDefault: true })
    .description('list schedules')
    .option('--limit <count>', 'how many (default 50)', numberValue)
    .option('--cursor <cursor>', 'continue a list')
    .action(async ({ limit, cursor }, command: Command) => {
      const context = contextOf(command, terminal);
      const page = await context.api.listSchedules({ query: { limit, cursor } });
      context.show(page, () => pageText(schedulesText(page.schedules), page.nextCursor));
    });
  schedules
    .command('show <id>')
    .description('show a schedule')
    .action(async (id: string, _, command: Command) => {
      const context = contextOf(command, terminal);
      context.show(await context.api.getSchedule({ params: { id } }), (schedule) =>
        schedulesText([schedule]),
      );
    });
  addChanges(schedules, terminal);
  for (const action of ['pause', 'resume'] as const)
    schedules
      .command(`${action} <id>`)
      .description(`${action} a schedule`)
      .option('--reason <text>', 'why')
      .action(async (id: string, { reason }, command: Command) => {
        const context = contextOf(command, terminal);
        const input = { params: { id }, body: { reason }, idempotencyKey: context.idempotencyKey };
        context.show(await context.api[`${action}Schedule`](input), (schedule) => schedulesText([schedule]));
      });
  schedules
    .command('run <id>')
    .description('enqueue the job of a schedule now')
    .option('--reason <text>', 'why')
    .action(async (id: string, { reason }, command: Command) => {
      const context = contextOf(command, terminal);
      const reply = await context.sendOnce((idempotencyKey) =>
        context.api.runSchedule({ params: { id }, body: { reason }, idempotencyKey }),
      );
      context.show(reply, ({ jobId }) => `Enqueued ${jobId}.`);
    });
  schedules
    .command('delete <id>')
    .description('delete a schedule')
    .option('--reason <text>', 'why')
    .action(async (id: string, { reason }, command: Command) => {
      const context = contextOf(command, terminal);
      await context.confirm(`Delete schedule ${id}.`);
      const input = { params: { id }, body: { reason }, idempotencyKey: context.idempotencyKey };
      context.show(await context.api.deleteSchedule(input), () => `Deleted ${id}.`);
    });
}

function addChanges(schedules: Command, terminal: Terminal): void {
  const withBody = (name: string, hint: string) =>
    schedules.command(name).description(hint).option('--data <json>', 'the fields; default: standard input');
  const bodyIn = async (data: string | undefined): Promise<unknown> =>
    jsonValue(data ?? (await terminal.readInput())).value;
  withBody('create', 'create a schedule: {"id", "queue", "timing", "job"}').action(
    async ({ data }, command: Command) => {
      const context = contextOf(command, terminal);
      const body = (await bodyIn(data)) as ScheduleRequest;
      const schedule = await context.sendOnce((idempotencyKey) =>
        context.api.createSchedule({ body, idempotencyKey }),
      );
      context.show(schedule, () => schedulesText([schedule]));
    },
  );
  withBody('change <id>', 'change the given fields of a schedule').action(
    async (id: string, { data }, command: Command) => {
      const context = contextOf(command, terminal);
      const body = (await bodyIn(data)) as Partial<ScheduleRequest>;
      const { idempotencyKey } = context;
      const schedule = await context.api.changeSchedule({ params: { id }, body, idempotencyKey });
      context.show(schedule, () => schedulesText([schedule]));
    },
  );
}
