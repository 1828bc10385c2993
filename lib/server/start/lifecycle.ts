/** Start and end of the console's background work, and the exit of a process with an unusable configuration. */

import { redisAdvice, withDeadline } from '@/lib/broker';
import { describeError, errorText } from '@/lib/contract/describe-error';
import { LASTING, RedriveError } from '@/lib/contract/redrive-error';
import { startTraceExport, type TraceExport } from '@/lib/tracing/trace-export';
import { getAuditCollector } from '../audit/audit-collector';
import { getLinkPrinter } from '../authentication/sign-in-link';
import { ownAddress, signInMethods } from '../authentication/sign-in-methods';
import { getAlertWatch } from '../background/alert-watch';
import { getDataLossWatch } from '../background/data-loss-watch';
import { getMaintenanceLoop } from '../background/maintenance-loop';
import { getOperationRunner } from '../background/operation-runner';
import { getBroker } from '../console-broker';
import { log } from '../console-log';
import { ConfigurationError, freezeEnvironment, labEnabled } from '../environment';
import { createLabPlugIn } from '../lab/lab-plug-in';
import { getLiveHub } from '../live/live-hub';
import { getSampler } from '../live/sampler';
import { getPlugIns } from '../plug-ins';
import { getAuditStreams } from '../routes/audit-file';
import { getExportStreams } from '../routes/export-response';
import { getSearchStreams } from '../routes/search-stream';
import { singleton } from '../singleton';
import { refuseUnusableFiles } from './configuration-files';

const FRONT_SERVER = Symbol.for('redrive.front-server');
const started = singleton('lifecycle', () => ({ done: false }));

/** A Redis that answers later is checked while the console already listens. */
const FIRST_CHECK_MS = 2_000;

/**
 * Starts the console, or ends the process with exit code 1 and one sentence a problem on standard error. It never throws: Next
 * swallows what its instrumentation hook throws, and would listen.
 */
export async function startConsoleOrExit(): Promise<void> {
  try {
    const ready = frontServerReady();
    await startConsole();
    ready();
  } catch (error) {
    for (const line of linesOf(error)) console.error(line);
    process.exit(1);
  }
}

/**
 * The callback by which the front server (scripts/serve.mjs) learns that the console has started, so that it listens. Without that server
 * the console would believe the address and the host that a client claims, so it does not start.
 * @throws ConfigurationError when there is no such server
 */
function frontServerReady(): () => void {
  const ready: unknown = Reflect.get(globalThis, FRONT_SERVER);
  if (typeof ready === 'function') return () => ready();
  throw new ConfigurationError([
    'The console is started with `npm start` or `npm run dev`: next start alone has no defences.',
  ]);
}

/** A configuration error has sentences for operators; any other error is a defect, and needs its stack. */
function linesOf(error: unknown): readonly string[] {
  if (!(error instanceof ConfigurationError)) return [describeError(error).stack ?? errorText(error)];
  return error.sentences;
}

/** @throws ConfigurationError naming every problem of the environment, its files and its Redis */
async function startConsole(): Promise<void> {
  if (started().done) return;
  started().done = true;
  freezeEnvironment();
  const traces = startTraces();
  refuseUnusableFiles();
  await refuseUnsafeRedis();
  if (labEnabled()) getPlugIns().push(createLabPlugIn());
  getMaintenanceLoop().start();
  getOperationRunner().start();
  getAuditCollector().start();
  getDataLossWatch().start();
  getAlertWatch().start();
  announceSignIn();
  const signals = ['SIGTERM', 'SIGINT'] as const;
  const end = (signal: NodeJS.Signals) => {
    // A second signal is the front server's: it ends the process.
    for (const name of signals) process.off(name, end);
    log().info({ signal }, 'console stops');
    // The HTTP server waits for open responses, and event streams never end on their own.
    getLiveHub().closeAll();
    getSearchStreams().closeAll();
    getExportStreams().closeAll();
    getSampler().stop();
    getMaintenanceLoop().stop();
    getDataLossWatch().stop();
    getAlertWatch().stop();
    getOperationRunner().stop();
    getAuditStreams().closeAll();
    getAuditCollector().stop();
    getLinkPrinter().stop();
    for (const plugIn of getPlugIns()) plugIn.close();
    getBroker().close();
    void traces.stop();
  };
  for (const name of signals) process.on(name, end);
}

/** @throws ConfigurationError naming every variable of OpenTelemetry that cannot be used */
function startTraces(): TraceExport {
  const choice = startTraceExport(process.env, 'redrive-console', log());
  if ('problems' in choice) throw new ConfigurationError(choice.problems);
  return choice;
}

/** One line on standard output, not through the logger: how to sign in. */
function announceSignIn(): void {
  const ways = signInMethods();
  if (ways.includes('link')) getLinkPrinter().start();
  else if (ways.includes('none'))
    process.stdout.write(`AUTH=none: authentication is disabled. For this machine only: ${ownAddress()}\n`);
  else process.stdout.write(`Sign in: ${ownAddress()}/sign-in\n`);
}

/**
 * The console waits for a Redis that is unavailable. A Redis that would lose jobs, or has the data of a newer version, ends the console:
 * within `FIRST_CHECK_MS` before it listens, later when found.
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
      error instanceof RedriveError && LASTING.has(error.code) ? error.message : null,
    );
  const early = await withDeadline(check, FIRST_CHECK_MS).catch(() => null);
  if (early !== null) throw new ConfigurationError([early]);
  void check.then((late) => {
    if (late === null) return;
    console.error(late);
    process.exit(1);
  });
}

/** The certificate files are checked here, after the address. @throws ConfigurationError */
function openBroker(): ReturnType<typeof getBroker> {
  try {
    return getBroker();
  } catch (error) {
    if (error instanceof RedriveError && error.code === 'VALIDATION')
      throw new ConfigurationError([error.message]);
    throw error;
  }
}
