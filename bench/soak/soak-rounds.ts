/** What goes on beside the jobs, some times a second: the operator works, and the memory of Redis is read. */
import type { Redis } from 'ioredis';
import { sleep } from '@/scripts/lib/deadline.mjs';
import type { Broker } from '@/testing/create-broker';
import type { BenchProcess } from '../harness/bench-process';
import { readMemory } from '../harness/redis-memory';

import type { Operator } from './soak-operator';
import { QUEUE } from './soak-plan';
import type { Produced } from './soak-producer';
import { megabytes } from './soak-verdict';

const EVERY_MS = 200;
const LATE_EVERY = 15;
const SAY_EVERY_MS = 10_000;

export interface Rounds {
  /** Rejects when a round fails, or a worker process does. */
  readonly failed: Promise<never>;
  peakBytes(): number;
  stop(): Promise<void>;
}

export interface RoundsDeps {
  readonly broker: Broker;
  readonly redis: Redis;
  readonly operator: Operator;
  readonly produced: Produced;
  readonly total: number;
  readonly processes: readonly BenchProcess[];
  say(line: string): void;
}

export function startRounds(deps: RoundsDeps): Rounds {
  const { broker, redis, operator, produced, total, processes, say } = deps;
  let peakBytes = 0;
  let stopping = false;
  let saidAtMs = performance.now();

  const percent = () => `${Math.floor((produced.sent * 100) / total)} %`;

  async function round(turn: number): Promise<void> {
    const trouble = processes.map((process) => process.trouble()).find((one) => one !== null);
    if (trouble) throw new Error(`A worker process is in trouble: ${trouble}`);
    await operator.triage();
    if (turn % LATE_EVERY === 0) await operator.purgeLate();
    const { bytes } = await readMemory(redis);
    peakBytes = Math.max(peakBytes, bytes);
    const [reading] = await broker.inspect.snapshot([QUEUE]);
    if (performance.now() - saidAtMs < SAY_EVERY_MS) return;
    saidAtMs = performance.now();
    say(`${percent()}: ${reading?.depth.jobs ?? 0} wait, ${megabytes(bytes)}`);
  }

  const running = (async () => {
    for (let turn = 1; !stopping; turn++) {
      await round(turn);
      await sleep(EVERY_MS);
    }
  })();
  const failed = running.then(() => new Promise<never>(() => undefined));
  failed.catch(() => undefined);
  return {
    failed,
    peakBytes: () => peakBytes,
    async stop() {
      stopping = true;
      await running;
    },
  };
}
