/** One child process: starts it, watches it, and restarts it when it dies. */
import type { ChildProcess } from 'node:child_process';
import type { LabProcess, LabSettings } from '@/lib/contract/lab/lab-schemas';
import { type Logger, RECONNECT_POLICY, retryDelayMs } from '@/lib/worker';
import { type ToChild, toSupervisorSchema } from './child-protocol';
import { randomInteger } from './random-choice';
import { deathCause, type WorkerDeath } from './recover-dead-worker';

/** A process that ran this long was healthy: its next crash is the first again. */
const HEALTHY_MS = 5_000;
/** A child drains for two seconds at most; one that takes longer is stuck. */
const KILL_AFTER_MS = 3_000;

export interface WorkerProcess {
  readonly number: number;
  report(): LabProcess;
  tell(settings: LabSettings): void;
  /** Asks the child to drain; asked again, to hurry. Resolves when it is gone. */
  stop(): Promise<void>;
}

export interface WorkerProcessDeps {
  readonly number: number;
  spawn(): ChildProcess;
  settings(): LabSettings;
  /** Resolves with how many jobs went back. */
  recover(death: WorkerDeath, crashed: boolean): Promise<number>;
  readonly random: () => number;
  readonly logger: Logger;
}

export function startWorkerProcess({
  number,
  spawn,
  settings,
  recover: attend,
  random,
  logger,
}: WorkerProcessDeps): WorkerProcess {
  let child: ChildProcess | null = null;
  let status: LabProcess['status'] = 'starting';
  let workerId: string | null = null;
  let crashes = 0;
  let failures = 0;
  let startedAt = 0;
  let restartAt: number | null = null;
  let restartTimer: NodeJS.Timeout | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  let lastCrash: LabProcess['lastCrash'] = null;
  let stopping = false;
  let markGone: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    markGone = resolve;
  });
  const send = (message: ToChild) => {
    // A child that died this instant cannot be told; its exit event says the rest.
    if (child?.connected) child.send(message, () => undefined);
  };

  function start(): void {
    const started = spawn();
    const tail = randomInteger(0, 36 ** 4 - 1, random)
      .toString(36)
      .padStart(4, '0');
    const id = `demo-${number}-${started.pid ?? 0}-${tail}`;
    child = started;
    workerId = id;
    status = 'starting';
    restartAt = null;
    startedAt = performance.now();
    started.on('message', (raw) => {
      const message = toSupervisorSchema.safeParse(raw).data;
      if (message?.type === 'hello') send({ type: 'start', workerId: id, settings: settings() });
      // Settings may have changed while it started.
      if (message?.type === 'ready') send({ type: 'settings', settings: settings() });
      if (message?.type === 'ready' && !stopping) status = 'running';
    });
    let ended = false;
    const onEnd = (code: number | null, signal: NodeJS.Signals | null) => {
      if (ended) return;
      ended = true;
      child = null;
      onDeath({ workerId: id, pid: started.pid ?? 0, code, signal });
    };
    started.once('exit', onEnd);
    // Could not be started at all, or could not be told something: only the first ends it.
    started.on('error', (error) => {
      logger.error({ err: error, slot: number }, 'a worker process had trouble');
      if (started.pid === undefined) onEnd(null, null);
    });
  }

  function onDeath(death: WorkerDeath): void {
    clearTimeout(killTimer);
    const crashed = death.code !== 0 && !stopping;
    const attended = death.code === 0 ? Promise.resolve(0) : attend(death, crashed);
    if (stopping) {
      void attended.then(markGone, markGone);
      return;
    }
    if (performance.now() - startedAt >= HEALTHY_MS) failures = 0;
    failures += 1;
    const delayMs = retryDelayMs(failures, RECONNECT_POLICY, random);
    restartAt = Date.now() + delayMs;
    restartTimer = setTimeout(start, delayMs);
    status = 'backoff';
    if (!crashed) return;
    crashes += 1;
    status = 'crashed';
    const crash = { at: Date.now(), cause: deathCause(death), reclaimed: 0 };
    lastCrash = crash;
    const { workerId: deadId, pid: childPid, code: exitCode, signal } = death;
    logger.warn(
      { slot: number, workerId: deadId, childPid, exitCode, signal, restartInMs: delayMs },
      'a worker process died',
    );
    void attended.then((reclaimed) => {
      if (lastCrash === crash) lastCrash = { ...crash, reclaimed };
      if (status === 'crashed') status = 'backoff';
    });
  }

  start();
  return {
    number,
    report: () => ({
      slot: number,
      status,
      workerId,
      pid: child?.pid ?? null,
      crashes,
      restartAt,
      lastCrash,
    }),
    tell: (changed) => send({ type: 'settings', settings: changed }),
    stop() {
      if (!stopping) {
        stopping = true;
        clearTimeout(restartTimer);
        if (!child) markGone();
        killTimer = child ? setTimeout(() => child?.kill('SIGKILL'), KILL_AFTER_MS) : undefined;
      }
      status = 'stopping';
      child?.kill('SIGTERM');
      return gone;
    },
  };
}
