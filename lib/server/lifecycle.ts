/** Start and end of the console's background work. */
import { RedriveError } from '@/lib/contract/errors';
import { getLinkPrinter } from './access/link';
import { usersFileProblem } from './access/local-users';
import { secretFileProblems } from './access/secret-file';
import { ownOrigin, waysIn } from './access/ways';
import { getAuditCollector } from './audit-collector';
import { getBroker } from './broker';
import { getBulkRunner } from './bulk-runner';
import { settleEnv } from './env';
import { getExportStreams } from './export';
import { getAuditStreams } from './guarded/audit';
import { getHub } from './hub';
import { getKeeper } from './keeper';
import { log } from './log';
import { redisAdvice } from './redis-advice';
import { getSampler } from './sampler';
import { getSearchStreams } from './search-stream';
import { singleton } from './singleton';

const started = singleton('lifecycle', () => ({ done: false }));

/** @throws Error naming every problem of the environment: better not to start than to half work */
export function startConsole(): void {
  if (started().done) return;
  started().done = true;
  settleEnv();
  refuseUnusableFiles();
  refuseUnsafeRedis();
  getKeeper().start();
  getBulkRunner().start();
  getAuditCollector().start();
  announceWayIn();
  const end = (signal: NodeJS.Signals) => {
    log().info({ signal }, 'console stops');
    // The HTTP server waits for open responses, and event streams never end by themselves.
    getHub().closeAll();
    getSearchStreams().closeAll();
    getExportStreams().closeAll();
    getSampler().stop();
    getKeeper().stop();
    getBulkRunner().stop();
    getAuditStreams().closeAll();
    getAuditCollector().stop();
    getLinkPrinter().stop();
    getBroker().close();
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

/** A console that came up without its users would look as if all of them had been removed. @throws Error */
function refuseUnusableFiles(): void {
  const problems = [usersFileProblem(), ...secretFileProblems()].filter((problem) => problem !== null);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** One line on standard output, past the logger: how the person who started it gets in. */
function announceWayIn(): void {
  const ways = waysIn();
  if (ways.includes('link')) getLinkPrinter().start();
  else if (ways.includes('none'))
    process.stdout.write(`AUTH=none: nobody is asked who they are. For this machine only: ${ownOrigin()}\n`);
  else process.stdout.write(`Sign in: ${ownOrigin()}/sign-in\n`);
}

/** A Redis that is away may come back, and the console waits for it. One that would lose jobs must be mended by a person. */
function refuseUnsafeRedis(): void {
  getBroker()
    .ready()
    .then(({ version }) => {
      const advice = redisAdvice(version);
      if (advice !== null) log().info({ redis: version }, advice);
    })
    .catch((error: unknown) => {
      if (!(error instanceof RedriveError) || error.code !== 'REDIS_UNSAFE') return;
      console.error(error.message);
      process.exit(1);
    });
}
