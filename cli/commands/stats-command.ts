/** `redrive stats`: over the API, or straight at Redis with --redis. */
import type { Command } from 'commander';
import { createBroker } from '@/lib/broker';
import { contextOf } from '../terminal/command-context';
import { tableText } from '../terminal/print-table';
import type { Terminal } from '../terminal/terminal';

interface StatsRow {
  readonly queue: string;
  readonly counts: Readonly<Record<string, number>>;
}

export function addStatsCommand(program: Command, terminal: Terminal): void {
  program
    .command('stats')
    .description('jobs by queue and state')
    .option('--redis <url>', 'straight at this Redis, without a console')
    .action(async ({ redis }, command: Command) => {
      const context = contextOf(command, terminal);
      const rows = redis ? await statsAt(redis, terminal) : await statsOver(context.api);
      context.show(rows, () =>
        tableText(
          ['QUEUE', 'READY', 'IN-FLIGHT', 'SCHEDULED', 'RETRY', 'HELD', 'COMPLETED', 'DEAD'],
          rows.map(({ queue, counts }) => [
            queue,
            ...['ready', 'in-flight', 'scheduled', 'retry', 'held', 'completed', 'dead'].map(
              (state) => counts[state] ?? 0,
            ),
          ]),
          'There are no queues.',
        ),
      );
    });
}

async function statsOver(api: ReturnType<typeof contextOf>['api']): Promise<StatsRow[]> {
  const { queues } = await api.getStats();
  return Object.entries(queues).map(([queue, row]) => ({
    queue,
    counts: row as unknown as Record<string, number>,
  }));
}

async function statsAt(url: string, { env }: Terminal): Promise<StatsRow[]> {
  const broker = createBroker({ url, prefix: env.REDRIVE_PREFIX || 'rd' });
  try {
    const readings = await broker.inspect.snapshot(await broker.inspect.queues());
    return readings.map(({ queue, counts }) => ({ queue, counts }));
  } finally {
    broker.close();
  }
}
