/** `redrive enqueue`: over the API, or straight at Redis with --redis. */
import type { Command } from 'commander';
import { enqueueRequestJobSchema } from '@/lib/contract/jobs/envelope';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { contextOf } from '../terminal/command-context';
import { withRedis } from '../terminal/open-redis';
import { durationValue, numberValue } from '../terminal/option-values';
import { tableText } from '../terminal/print-table';
import type { Terminal } from '../terminal/terminal';

export function addEnqueueCommand(program: Command, terminal: Terminal): void {
  program
    .command('enqueue <queue>')
    .description('enqueue a job; its payload is --payload, or standard input with --payload -')
    .requiredOption('--type <type>', 'job type')
    .option('--id <id>', 'job id; default: one is made')
    .option('--payload <json>', 'payload, kept character for character')
    .option('--tenant <id>', 'tenant')
    .option('--priority <number>', 'priority', Number)
    .option('--delay <duration>', 'ready after that time', durationValue)
    .option('--max-attempts <count>', 'attempts before it is dead', numberValue)
    .option('--unique <key>', 'no second job with this key while this one is to be done')
    .option('--redis <url>', 'straight at this Redis, without a console')
    .action(async (queue: string, options, command: Command) => {
      const context = contextOf(command, terminal);
      const payloadText = options.payload === '-' ? await terminal.readInput() : options.payload;
      const job = {
        jobType: options.type,
        jobId: options.id,
        payloadText: payloadText ?? 'null',
        tenantId: options.tenant,
        priority: options.priority,
        delayMs: options.delay,
        maxAttempts: options.maxAttempts,
        unique: options.unique === undefined ? undefined : { key: options.unique },
      };
      const { results } = options.redis
        ? await enqueueAt(options.redis, terminal, queue, job)
        : await context.sendOnce((idempotencyKey) =>
            context.api.enqueueJobs({ params: { queue }, body: job, idempotencyKey }),
          );
      context.show({ results }, () =>
        tableText(
          ['JOB', 'OUTCOME'],
          results.map(({ jobId, outcome }) => [jobId, outcome]),
          '',
        ),
      );
    });
}

async function enqueueAt(url: string, terminal: Terminal, queue: string, input: object) {
  const { payloadText, ...job } = parseOrThrow(enqueueRequestJobSchema, input, 'The job');
  const by = { actor: 'redrive enqueue' };
  const result = await withRedis(url, terminal, (broker) =>
    broker.enqueue(queue, { ...job, payload: payloadText ?? 'null' }, { by }),
  );
  return { results: [result] };
}
