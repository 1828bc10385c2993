/** The demo handlers: they take their time, and fail, hang or crash as often as the lab says. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LabSettings } from '@/lib/contract/lab/lab-schemas';
import { defineHandler, type Handler, type HandlerContext } from '@/lib/worker';
import { LAB_KINDS } from '../lib/contract/lab/lab-settings';
import { brokenRelease, faultFor, outageFault } from './demo-failures';
import { type Kind, resultFor, SCHEMAS } from './demo-kinds';
import { chance } from './random-choice';

const TIMEOUT_MIN_MS = 5_000;

export interface Lab {
  /** The settings in force right now. */
  settings(): LabSettings;
  random: () => number;
  /** Ends this process as a crash would: no cleanup, no goodbye. */
  crash(): void;
}

/** Spread evenly over mean ± the given share of it. */
export function runTimeMs({ runTimeMs, runTimeSpreadPercent }: LabSettings, random: () => number): number {
  return Math.max(0, runTimeMs * (1 + (runTimeSpreadPercent / 100) * (2 * random() - 1)));
}

/** Never ends by itself; obeys its signal, so its timeout ends it. */
const hang = ({ signal }: HandlerContext) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

async function act(kind: Kind, ctx: HandlerContext, lab: Lab): Promise<object> {
  const { random } = lab;
  const settings = lab.settings();
  const runMs = runTimeMs(settings, random);
  if (chance(settings.crashPercent, random)) {
    await sleep(runMs * random(), undefined, { signal: ctx.signal });
    lab.crash();
    return hang(ctx);
  }
  if (chance(settings.hangPercent, random)) return hang(ctx);
  const broken = settings.brokenKinds.includes(kind);
  const away = settings.outageKinds.includes(kind);
  const fails = broken || away || chance(settings.failPercent, random);
  // Faults show up some way into the work.
  await sleep(fails ? runMs * random() : runMs, undefined, { signal: ctx.signal });
  if (broken) throw brokenRelease(kind);
  if (away) throw outageFault(kind);
  if (fails) throw faultFor(kind, random);
  return resultFor(kind, runMs, random);
}

export function demoHandlers(lab: Lab): Handler[] {
  return LAB_KINDS.map((kind) =>
    defineHandler({
      type: kind,
      schema: SCHEMAS[kind],
      timeoutMs: () => Math.max(TIMEOUT_MIN_MS, 4 * lab.settings().runTimeMs),
      run: (_, ctx) => act(kind, ctx, lab),
    }),
  );
}
