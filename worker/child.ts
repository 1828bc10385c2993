/** One worker process. The supervisor starts it and sends its id and settings. */
import { createBroker } from '@/lib/broker';
import type { LabSettings } from '@/lib/contract/lab/lab-schemas';
import { startTraceExport } from '@/lib/tracing/trace-export';
import { createLogger, createWorker, type Worker } from '@/lib/worker';
import { LAB_CONNECTION_NAME, LAB_QUEUES } from '../lib/contract/lab/lab-settings';
import { type ToSupervisor, toChildSchema } from './child-protocol';
import { demoHandlers } from './demo-handlers';
import { refuseEnvironment, workerEnvironmentOrExit } from './worker-environment';

/** Together under the two seconds a demo gives its parts to stop. */
const DRAIN_MS = 1_200;
const ABORT_GRACE_MS = 300;

const env = workerEnvironmentOrExit();
const logger = createLogger({ name: 'worker', level: env.logLevel });
const traces = startTraceExport(process.env, 'redrive-worker', logger);
if ('problems' in traces) refuseEnvironment(traces.problems);
/** Of the time in which the supervisor wants to see the process end. */
const LAST_SPANS_MS = 500;
const stopTraces = () => traces.stop(LAST_SPANS_MS);
let worker: Worker | null = null;
let settings: LabSettings | null = null;

function tell(message: ToSupervisor): void {
  process.send?.(message, undefined, undefined, () => undefined);
}

function start(workerId: string, first: LabSettings): void {
  settings = first;
  const broker = createBroker({
    ...env.redis,
    prefix: env.prefix,
    allowEviction: env.allowEviction,
    // The drill "Redis restart" closes connections of this name.
    connectionName: LAB_CONNECTION_NAME,
  });
  const started = createWorker(broker, {
    workerId,
    queues: LAB_QUEUES,
    concurrency: first.concurrency,
    leaseMs: first.leaseMs,
    drainMs: DRAIN_MS,
    abortGraceMs: ABORT_GRACE_MS,
    version: process.env.npm_package_version ?? '',
    handlers: demoHandlers({
      settings: () => settings ?? first,
      random: Math.random,
      crash: () => process.kill(process.pid, 'SIGKILL'),
    }),
    logger: logger.child({ workerId }),
    // Hundreds of jobs a second fail on purpose here: a line for each would hide everything else.
    logJobs: logger.isLevelEnabled('debug'),
  });
  worker = started;
  // Whatever stopped it: a signal of the supervisor, or a user of the console.
  void started.drained.then(stopTraces).then(() => process.exit(0));
  started.start();
  tell({ type: 'ready' });
}

if (!process.send) {
  console.error('This file is started by the supervisor: run worker/index.ts instead.');
  process.exit(1);
}
process.on('message', (raw) => {
  const message = toChildSchema.parse(raw);
  if (message.type === 'start' && !worker) start(message.workerId, message.settings);
  else {
    settings = message.settings;
    worker?.adjust({ concurrency: settings.concurrency, leaseMs: settings.leaseMs });
  }
});
// The supervisor is gone: leave at once, so that the leases run out and the next worker takes over.
process.on('disconnect', () => process.exit(1));
// Ctrl-C reaches the whole group; the supervisor decides.
process.on('SIGINT', () => undefined);
let asked = 0;
process.on('SIGTERM', () => {
  asked += 1;
  if (worker) void worker.stop({ hurry: asked > 1 });
  else process.exit(0);
});
tell({ type: 'hello' });
