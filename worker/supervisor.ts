/** The supervisor: one child process a slot, as many as the lab wants, replaced when they die; and the demo's traffic. */
import { fork } from 'node:child_process';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Broker } from '@/lib/broker';
import type { LabSettings } from '@/lib/contract/lab/lab-schemas';
import type { Lab } from '@/lib/lab/open-lab';
import { type Logger, startBackgroundLoop, withCallDeadline } from '@/lib/worker';
import { LAB_SAMPLE_EVERY_MS } from '../lib/contract/lab/lab-settings';
import { createTraffic } from './demo-traffic';
import { recoverDeadWorker } from './recover-dead-worker';
import { startWorkerProcess, type WorkerProcess } from './worker-process';

const SETTINGS_EVERY_MS = 300;
const REPORT_EVERY_MS = 500;
const TRAFFIC_EVERY_MS = 100;
const CALL_DEADLINE_MS = 6_000;
const GOODBYE_DEADLINE_MS = 500;

export interface Supervisor {
  /** Stops traffic and children; asked again, hurries them. Resolves when no child is left. */
  stop(): Promise<void>;
}

export interface SupervisorDeps {
  readonly broker: Broker;
  readonly lab: Lab;
  readonly logger: Logger;
  readonly random?: () => number;
}

/** From the bundle beside the bundle, from the source by tsx beside the source. */
function spawnChild() {
  const fromSource = import.meta.url.endsWith('.ts');
  const file = fileURLToPath(new URL(fromSource ? './child.ts' : './child.js', import.meta.url));
  const execArgv = fromSource ? ['--import', import.meta.resolve('tsx')] : process.execArgv;
  return fork(file, [], { execArgv });
}

export function startSupervisor({ broker, lab, logger, random = Math.random }: SupervisorDeps): Supervisor {
  const slots = new Map<number, WorkerProcess>();
  const traffic = createTraffic({ broker, lab, random, nowMs: () => performance.now(), logger });
  let settings: LabSettings | null = null;
  let stopped: Promise<void> | null = null;

  function addSlot(number: number, first: LabSettings): void {
    const slot = startWorkerProcess({
      number,
      spawn: spawnChild,
      settings: () => settings ?? first,
      recover: (death, crashed) =>
        recoverDeadWorker(death, crashed, {
          broker,
          lab,
          random,
          logger,
          sleep: (ms) => sleep(ms),
          slowReclaim: settings?.slowReclaim ?? false,
        }),
      random,
      logger,
    });
    slots.set(number, slot);
  }

  function dropSlot(slot: WorkerProcess): void {
    void slot.stop().then(() => slots.delete(slot.number));
  }

  /** Follows the lab's settings; while Redis is away, the last ones known stay in force. */
  async function follow(): Promise<void> {
    const read = await withCallDeadline(lab.settings(), CALL_DEADLINE_MS, 'the lab settings');
    if (stopped !== null) return;
    const changed = JSON.stringify(read) !== JSON.stringify(settings);
    settings = read;
    for (let number = 1; number <= read.workers; number++) if (!slots.has(number)) addSlot(number, read);
    for (const slot of slots.values()) {
      if (slot.number > read.workers && slot.report().status !== 'stopping') dropSlot(slot);
      else if (changed) slot.tell(read);
    }
  }

  async function report(): Promise<void> {
    const seenAt = await withCallDeadline(broker.now(), CALL_DEADLINE_MS, 'the clock');
    const supervisor = {
      pid: process.pid,
      host: hostname(),
      seenAt,
      slots: [...slots.values()].map((slot) => slot.report()).sort((a, b) => a.slot - b.slot),
      enqueued: traffic.enqueued(),
    };
    await withCallDeadline(lab.report(supervisor), CALL_DEADLINE_MS, 'the lab report');
  }

  async function sample(): Promise<void> {
    const wanted = settings?.workers ?? 0;
    const serving =
      slots.size === wanted && [...slots.values()].every((slot) => slot.report().status === 'running');
    await withCallDeadline(lab.sample(serving), CALL_DEADLINE_MS, 'the lab sample');
  }

  const loop = (name: string, everyMs: number, run: () => Promise<void>) =>
    startBackgroundLoop({ name, everyMs, random, logger, run });
  const following = loop('following the lab settings', SETTINGS_EVERY_MS, follow);
  const reporting = loop('the lab report', REPORT_EVERY_MS, report);
  const sampling = loop('the lab sample', LAB_SAMPLE_EVERY_MS, sample);
  const flowing = loop('traffic', TRAFFIC_EVERY_MS, async () => {
    if (settings) await traffic.step(settings);
  });

  async function shutDown(): Promise<void> {
    const loops = [following, sampling, flowing].map((one) => one.stop());
    await Promise.all([...slots.values()].map((slot) => slot.stop()));
    const last = Promise.all([...loops, reporting.stop()]).then(() => lab.clear());
    await withCallDeadline(last, GOODBYE_DEADLINE_MS, 'the goodbye').catch(() => undefined);
    lab.close();
    broker.close();
  }

  return {
    stop() {
      if (stopped !== null) for (const slot of slots.values()) void slot.stop();
      stopped ??= shutDown();
      return stopped;
    },
  };
}
