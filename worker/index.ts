/** `npm run worker`: the demo worker. Starts the supervisor and ends it properly, whoever asks. */
import { pino } from 'pino';
import { createBroker } from '@/lib/broker';
import { RedriveError } from '@/lib/contract/errors';
import { envOrExit } from './env';
import { startSupervisor } from './supervisor';

/** Nobody waits longer than this for us to end. */
const EXIT_WITHIN_MS = 4_500;

const env = envOrExit();
const logger = pino({ name: 'redrive-supervisor', level: env.logLevel });
const broker = createBroker({ url: env.redisUrl, prefix: env.prefix, allowEviction: env.allowEviction });
const supervisor = startSupervisor({ broker, logger });
logger.info('the supervisor has started');

// A Redis that is away may come; one that would lose jobs must be mended by a person.
broker.ready().catch((error: unknown) => {
  if (!(error instanceof RedriveError) || error.code !== 'REDIS_UNSAFE') return;
  console.error(error.message);
  process.exitCode = 1;
  shutDown('this Redis is not safe for jobs');
});

function shutDown(why: string): void {
  logger.info({ why }, 'stopping');
  setTimeout(() => process.exit(1), EXIT_WITHIN_MS).unref();
  void supervisor.stop().then(() => {
    logger.info('stopped');
    process.exit();
  });
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => shutDown(signal));
// Started by the demo, which holds the other end of this channel: it closes whatever the demo died of.
if (process.send) process.on('disconnect', () => shutDown('the parent is gone'));
