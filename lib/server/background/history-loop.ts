/** The console's share of the history: a row a minute of all queues together, once maintenance has made those of the queues. */
import { type BackgroundLoop, startBackgroundLoop } from '@/lib/process/background-loop';
import { getBroker } from '../console-broker';
import { log } from '../console-log';

const EVERY_MS = 5_000;

export function startHistoryLoop(): BackgroundLoop {
  return startBackgroundLoop({
    name: 'adding up the history of all queues',
    everyMs: EVERY_MS,
    firstInMs: EVERY_MS,
    keepsProcess: false,
    logger: log(),
    async run() {
      const broker = getBroker();
      await broker.foldAllQueues(await broker.inspect.queues());
    },
  });
}
