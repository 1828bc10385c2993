/** Start and end of the console's background work. */
import { RedriveError } from '@/lib/contract/errors';
import { getBroker } from './broker';
import { getBulkRunner } from './bulk-runner';
import { readEnv } from './env';
import { getExportStreams } from './export';
import { getHub } from './hub';
import { getKeeper } from './keeper';
import { log } from './log';
import { getSampler } from './sampler';
import { getSearchStreams } from './search-stream';
import { singleton } from './singleton';

const started = singleton('lifecycle', () => ({ done: false }));

/** @throws Error naming every problem of the environment: better not to start than to half work */
export function startConsole(): void {
  if (started().done) return;
  started().done = true;
  readEnv(process.env);
  refuseUnsafeRedis();
  getKeeper().start();
  getBulkRunner().start();
  const end = (signal: NodeJS.Signals) => {
    log().info({ signal }, 'console stops');
    // The HTTP server waits for open responses, and event streams never end by themselves.
    getHub().closeAll();
    getSearchStreams().closeAll();
    getExportStreams().closeAll();
    getSampler().stop();
    getKeeper().stop();
    getBulkRunner().stop();
    getBroker().close();
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

/** A Redis that is away may come back, and the console waits for it. One that would lose jobs must be mended by a person. */
function refuseUnsafeRedis(): void {
  getBroker()
    .ready()
    .catch((error: unknown) => {
      if (!(error instanceof RedriveError) || error.code !== 'REDIS_UNSAFE') return;
      console.error(error.message);
      process.exit(1);
    });
}
