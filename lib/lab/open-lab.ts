/**
 * What the demo worker and a console with the lab keep in Redis: the demo's settings, its measurements and drills, and the events of its
 * queues. A broker has no part of it, so an application that never opens the lab does not load the lab.
 */
import { bindVerbs } from '@/lib/broker/redis/bind-verbs';
import { type BrokerOptions, createContext } from '@/lib/broker/redis/broker-context';
import { withShards } from '@/lib/broker/shards/sharded-context';
import { readLabEvents } from './lab-events';
import {
  clearSupervisor,
  readLabSettings,
  recordCrash,
  reportSupervisor,
  requestBurst,
  takeBurst,
  writeLabSettings,
} from './lab-records';
import { readLabSamples, resetLabSession } from './lab-samples';
import { readLabState } from './lab-state';
import { readQueueMovements } from './queue-movements';
import { noticeDrill, readLatestDrill, sampleLab, startDrill, stopDrill } from './run-drill';

/** The options of a broker on the same Redis. Nothing is connected until the first call. */
export function openLab(options: BrokerOptions) {
  const ctx = withShards(createContext(options));
  ctx.dataset.onLoss(() => {
    ctx.shards.forget();
  });
  return {
    ...bindVerbs(ctx, {
      settings: readLabSettings,
      save: writeLabSettings,
      state: readLabState,
      report: reportSupervisor,
      clear: clearSupervisor,
      crashed: recordCrash,
      requestBurst,
      takeBurst,
      reset: resetLabSession,
      sample: sampleLab,
      samples: readLabSamples,
      events: readLabEvents,
      /** What happened in one queue. */
      movements: readQueueMovements,
      startDrill,
      stopDrill,
      latestDrill: readLatestDrill,
      noticeDrill,
    }),
    /** Ends the connection if the lab opened it. */
    close: ctx.close,
  };
}
export type Lab = ReturnType<typeof openLab>;
