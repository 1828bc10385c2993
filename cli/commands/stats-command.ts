/** `redrive stats`: over the API, or straight at Redis with --redis. */
import type { Command } from 'commander';
import type { StateCounts } from '@/lib/contract/jobs/job-states';
import { contextOf } from '../terminal/command-context';
import { withRedis } from '../terminal/open-redis';
import { numberValue } from '../terminal/option-values';
import { pageText, tableText } from '../terminal/print-table';
import type { Terminal } from '../terminal/terminal';

const STATES = ['ready', 'in-flight', 'scheduled', 'retry', 'held', 'completed', 'dead'] as const;

interface Stats {
  readonly queues: Readonly<Record<string, StateCounts>>;
  readonly nextCursor: string | null;
}

export function addStatsCommand(program: Command, terminal: Terminal): void {
  program
    .command('stats')
    .description('jobs by queue and state')
    .option('--search <text>', 'part of the name')
    .option('--limit <count>', 'how many queues (default: as many as one reply holds)', numberValue)
    .option('--cursor <cursor>', 'continue a list')
    .option('--redis <url>', 'all queues of this Redis, without a console')
    .action(async ({ search, limit, cursor, redis }, command: Command) => {
      const context = contextOf(command, terminal);
      const stats: Stats = redis
        ? await statsAt(redis, terminal)
        : await context.api.getStats({ query: { q: search, limit, cursor } });
      context.show(stats, ({ queues, nextCursor }) =>
        pageText(
          tableText(
            ['QUEUE', ...STATES.map((state) => state.toUpperCase())],
            Object.entries(queues).map(([queue, counts]) => [queue, ...STATES.map((state) => counts[state])]),
            'There are no queues.',
          ),
          nextCursor,
        ),
      );
    });
}

const statsAt = (url: string, terminal: Terminal): Promise<Stats> =>
  withRedis(url, terminal, async ({ inspect }) => {
    const readings = await inspect.snapshot(await inspect.queues());
    return {
      queues: Object.fromEntries(readings.map(({ queue, counts }) => [queue, counts])),
      nextCursor: null,
    };
  });
