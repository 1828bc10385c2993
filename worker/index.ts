/** `npm run worker`: the demo worker. Starts the supervisor and ends it properly. */
import { openBroker } from '@/lib/broker';
import { LASTING, RedriveError } from '@/lib/contract/redrive-error';
import { openLab } from '@/lib/lab/open-lab';
import { createLogger } from '@/lib/worker';
import { startSupervisor } from './supervisor';
import { workerEnvironmentOrExit } from './worker-environment';

/** How long the end of the process may take. */
const EXIT_WITHIN_MS = 4_500;

const env = workerEnvironmentOrExit();
const logger = createLogger({ name: 'supervisor', level: env.logLevel });
const options = { ...env.redis, prefix: env.prefix, allowEviction: env.allowEviction };
const broker = openBroker(options);
const supervisor = startSupervisor({ broker, lab: openLab(options), logger });
logger.info('the supervisor has started');

// A Redis that is away may return; one that could lose jobs, or has newer data, needs an administrator.
broker.ready().catch((error: unknown) => {
  if (!(error instanceof RedriveError) || !LASTING.has(error.code)) return;
  console.error(error.message);
  process.exitCode = 1;
  shutDown('this worker must not use this Redis');
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
