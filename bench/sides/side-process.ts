/** A process under measurement: one side, as producer or worker. Bundled, so that it runs as an application would. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createBroker } from '@/testing/create-broker';
import { DESIGN_PIECES, type PieceChoice } from '../ablation/pieces';
import { openPlain } from '../ablation/plain-queue';
import { nowMs, serve, tell, tellTrouble } from '../harness/bench-child';
import { openBee } from './bee-queue';
import { clockNs } from './bench-payload';
import type { BenchWorker, OpenSide, Side, SideName, SideOptions } from './bench-side';
import { openBullMq } from './bullmq';
import { openLean } from './lean';
import { startProfile, stopProfile } from './profiler';
import { openOurs } from './redrive-side';
import { Tally } from './run-tally';
import { addInBulk, addSingly, addSparsely } from './side-producer';

const OPEN: Record<SideName, OpenSide> = {
  ours: openOurs,
  bullmq: openBullMq,
  beeQueue: openBee,
  design: (options) => openPlain(options, options.choice ?? { pieces: DESIGN_PIECES, inUse: [] }),
  lean: openLean,
};
/** A compiler at work takes twice the time of the code it compiles: so many jobs until it is done, together and one by one. */
const WARM_RUNS = [
  { jobs: 12_000, concurrency: 100 },
  { jobs: 5_000, concurrency: 1 },
];

/** What the handlers do: nothing, wait (as for a call to somewhere), or never end. */
export type Work = { kind: 'nothing' } | { kind: 'wait'; ms: number } | { kind: 'hang' };

interface OpenAsk {
  name: SideName;
  path: string;
  queue: string;
  choice?: PieceChoice;
  warm: boolean;
}

let side: Side | null = null;
let worker: BenchWorker | null = null;
let leaving = false;
const tally = new Tally((progress) => tell({ type: 'progress', progress }));
const opened = (): Side => {
  if (!side) throw new Error('open comes first.');
  return side;
};
// Peers complain about connections that we close under their hands.
const onTrouble = (error: unknown) => {
  if (!leaving) tellTrouble(error);
};

function doWork(work: Work): void | Promise<void> {
  if (work.kind === 'wait') return sleep(work.ms);
  if (work.kind === 'hang') return new Promise<void>(() => undefined);
}

/** Runs some jobs through another queue first: what is measured is a process that has been up for a while. */
async function warmUp(name: SideName, options: SideOptions): Promise<void> {
  for (const { jobs, concurrency } of WARM_RUNS) {
    const warm = await OPEN[name]({ ...options, queue: `warm-${process.pid}-${concurrency}` });
    await addSingly(warm, jobs / 2, 100);
    await addInBulk(warm, jobs / 2, 500);
    let left = jobs;
    await new Promise<void>((resolve, reject) => {
      const onDone = (done: number) => {
        left -= done;
        if (left === 0) resolve();
      };
      const id = `warm-${process.pid}`;
      warm.worker({ id, concurrency, handle: () => undefined, onDone }).then((warmer) => {
        worker = warmer;
        warmer.start();
      }, reject);
    });
    await worker?.stop();
    worker = null;
    await warm.close();
  }
}

serve({
  async open({ name, warm, ...where }: OpenAsk) {
    const options = { ...where, onTrouble };
    if (warm) await warmUp(name, options);
    side = await OPEN[name](options);
  },
  addSingly: ({ count, inFlight, tenant }: { count: number; inFlight: number; tenant?: string }) =>
    addSingly(opened(), count, inFlight, tenant),
  addInBulk: ({ count, perCall, tenant }: { count: number; perCall: number; tenant?: string }) =>
    addInBulk(opened(), count, perCall, tenant),
  addSparsely: ({ count, gapMs }: { count: number; gapMs: number }) => addSparsely(opened(), count, gapMs),
  addOne: async ({ n, tenant }: { n: number; tenant: string }) => {
    await opened().add({ n, tenant, at: clockNs() });
  },
  async setFair({ path, queue, fair }: { path: string; queue: string; fair: 'tenant' | 'none' }) {
    const broker = createBroker({ url: path });
    await broker.config.change(queue, { fair }, { actor: 'bench', reason: 'a benchmark' });
    broker.close();
  },
  async prepare({ id, concurrency, work }: { id: string; concurrency: number; work: Work }) {
    worker = await opened().worker({
      id,
      concurrency,
      handle(n, at) {
        tally.started(n, at);
        return doWork(work);
      },
      onDone: (jobs) => tally.done(jobs),
    });
  },
  go({ total }: { total: number }) {
    if (!worker) throw new Error('prepare comes first.');
    tally.begin(total);
    const startedAtMs = nowMs();
    worker.start();
    return startedAtMs;
  },
  async finish() {
    await worker?.stop();
    return tally.end();
  },
  startProfile,
  stopProfile,
  left: () => opened().left(),
  async close() {
    leaving = true;
    await side?.close();
  },
});
