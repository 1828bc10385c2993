/** Start and end of the console's background work, and the end of a process whose configuration cannot be used. */
import { type Broker, withDeadline } from '@/lib/broker';
import { RedriveError } from '@/lib/contract/errors';
import { getLinkPrinter } from './access/link';
import { usersFileProblem } from './access/local-users';
import { secretFileProblems } from './access/secret-file';
import { ownOrigin, waysIn } from './access/ways';
import { getAuditCollector } from './audit-collector';
import { borderReady } from './border';
import { getBroker } from './broker';
import { getBulkRunner } from './bulk-runner';
import { getDataWatch } from './data-watch';
import { ConfigurationError, settleEnv } from './env';
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

/** A Redis that answers later than this is checked while the console already listens. */
const FIRST_CHECK_MS = 2_000;

/**
 * Starts the console, or ends the process with exit code 1 and one sentence a problem on standard error. It never throws: Next
 * swallows what its instrumentation hook throws, and would listen.
 */
export async function startConsoleOrExit(): Promise<void> {
  try {
    const ready = borderReady();
    await startConsole();
    ready();
  } catch (error) {
    for (const line of linesOf(error)) console.error(line);
    process.exit(1);
  }
}

/** A refusal is sentences for the person who set it up; anything else is a defect, and needs its stack. */
function linesOf(error: unknown): readonly string[] {
  if (!(error instanceof ConfigurationError))
    return [error instanceof Error ? `${error.stack}` : String(error)];
  return error.problems.map((problem) => (problem.endsWith('.') ? problem : `${problem}.`));
}

/** @throws ConfigurationError naming every problem of the environment, its files and its Redis */
async function startConsole(): Promise<void> {
  if (started().done) return;
  started().done = true;
  settleEnv();
  refuseUnusableFiles();
  await refuseUnsafeRedis();
  getKeeper().start();
  getBulkRunner().start();
  getAuditCollector().start();
  getDataWatch().start();
  announceWayIn();
  const end = (signal: NodeJS.Signals) => {
    log().info({ signal }, 'console stops');
    // The HTTP server waits for open responses, and event streams never end by themselves.
    getHub().closeAll();
    getSearchStreams().closeAll();
    getExportStreams().closeAll();
    getSampler().stop();
    getKeeper().stop();
    getDataWatch().stop();
    getBulkRunner().stop();
    getAuditStreams().closeAll();
    getAuditCollector().stop();
    getLinkPrinter().stop();
    getBroker().close();
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

/** A console that came up without its users would look as if all of them had been removed. @throws ConfigurationError */
function refuseUnusableFiles(): void {
  const problems = [usersFileProblem(), ...secretFileProblems()].filter((problem) => problem !== null);
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** One line on standard output, past the logger: how the person who started it gets in. */
function announceWayIn(): void {
  const ways = waysIn();
  if (ways.includes('link')) getLinkPrinter().start();
  else if (ways.includes('none'))
    process.stdout.write(`AUTH=none: nobody is asked who they are. For this machine only: ${ownOrigin()}\n`);
  else process.stdout.write(`Sign in: ${ownOrigin()}/sign-in\n`);
}

/**
 * A Redis that is away may come back, and the console waits for it. One that would lose jobs must be mended by a person: found within
 * `FIRST_CHECK_MS`, nothing listens yet.
 * @throws ConfigurationError
 */
async function refuseUnsafeRedis(): Promise<void> {
  const check = openBroker()
    .ready()
    .then(({ version }) => {
      const advice = redisAdvice(version);
      if (advice !== null) log().info({ redis: version }, advice);
      return null;
    })
    .catch((error: unknown) =>
      error instanceof RedriveError && error.code === 'REDIS_UNSAFE' ? error.message : null,
    );
  const early = await withDeadline(check, FIRST_CHECK_MS).catch(() => null);
  if (early !== null) throw new ConfigurationError([early]);
  void check.then((late) => {
    if (late === null) return;
    console.error(late);
    process.exit(1);
  });
}

/** The address is checked by then; the files of its certificates are not. @throws ConfigurationError */
function openBroker(): Broker {
  try {
    return getBroker();
  } catch (error) {
    if (error instanceof RedriveError && error.code === 'VALIDATION')
      throw new ConfigurationError([error.message]);
    throw error;
  }
}
