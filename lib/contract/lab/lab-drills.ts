/** The lab's drills: an incident made on purpose, what to watch, and how it ends. */
import { LAB_DEFAULTS } from './lab-settings';

export const LAB_DRILLS = [
  'crash-storm',
  'bad-deploy',
  'outage',
  'noisy-tenant',
  'slow-consumer',
  'redis-restart',
] as const;
export type LabDrillId = (typeof LAB_DRILLS)[number];
/** Drills that are remembered, the present one included. */
export const LAB_DRILLS_KEPT = 10;

export interface LabDrillPlan {
  title: string;
  /** What it really does. */
  does: string;
  watch: readonly string[];
  /** The button that ends it. */
  stop: string;
  /** The user's next step after that. */
  next: string;
  settings: Partial<typeof LAB_DEFAULTS>;
  burst?: { jobs: number; tenant: string };
  /** Closes the connections of the demo's workers in Redis. */
  cutsConnections?: true;
}

export const LAB_DRILL_PLANS: Readonly<Record<LabDrillId, LabDrillPlan>> = {
  'crash-storm': {
    title: 'Crash storm',
    does: 'Kills a worker process (SIGKILL) in 4% of runs.',
    watch: [
      'Workers turn red here; the supervisor restarts each after a growing delay.',
      'Their jobs are reclaimed and run elsewhere; the ledger still balances.',
      'Overview: the crashes are named before the queues that wait because of them.',
    ],
    stop: 'Stop the crashes',
    next: 'Wait until the workers run and the backlog is gone.',
    settings: { workers: 6, crashPercent: 4, runTimeMs: 1_000, trafficPerSecond: 10 },
  },
  'bad-deploy': {
    title: 'Bad deploy',
    does: 'Every run of webhook.deliver fails with HANDLER_BUG, which no retry helps.',
    watch: [
      'Dead letters grow as one failure group with one sample.',
      'Pause the job type webhook.deliver in queue default: nothing more dies.',
    ],
    stop: 'Roll back',
    next: 'Resume the job type if you paused it, then re-drive the failure group. Recovered when its dead letters are gone.',
    settings: { brokenKinds: ['webhook.deliver'], trafficPerSecond: 10 },
  },
  outage: {
    title: 'Downstream outage',
    does: 'Every run of email.send fails with HTTP 503, as if the mail provider were down.',
    watch: [
      'Jobs go to retry with growing delays instead of dying.',
      'Workers: the circuit breaker of email.send opens and spares the provider.',
    ],
    stop: 'End the outage',
    next: 'Retries succeed by themselves when they are due.',
    settings: { outageKinds: ['email.send'], trafficPerSecond: 10, maxAttempts: 20 },
  },
  'noisy-tenant': {
    title: 'Noisy tenant',
    does: 'Enqueues 1,500 jobs of tenant acme at once, besides the usual traffic.',
    watch: [
      'The oldest ready job of every tenant gets older.',
      'Pause tenant acme in a queue, or set its Fairness to round-robin by tenant: the others run again.',
    ],
    stop: 'End the drill',
    next: 'Resume what you paused. Recovered when the backlog is gone.',
    settings: {},
    burst: { jobs: 1_500, tenant: 'acme' },
  },
  'slow-consumer': {
    title: 'Slow consumer',
    does: 'Each run takes 4 s instead of 0.4 s, so that jobs arrive faster than they are done.',
    watch: [
      'Ready jobs and the oldest age grow; the forecast says how many workers are missing.',
      'Raise Workers or Concurrency here, and the backlog shrinks.',
    ],
    stop: 'End the drill',
    next: 'Recovered when the backlog is gone.',
    settings: { runTimeMs: 4_000, trafficPerSecond: 8 },
  },
  'redis-restart': {
    title: 'Redis restart',
    does: 'The console cannot restart Redis. It closes every connection of the demo\u2019s workers once (CLIENT KILL), as a restart would; Redis itself keeps running.',
    watch: [
      'Workers reconnect within two seconds and go on; results in flight are sent again.',
      'So short a gap often hurts no run: “First effect” then says “never showed”.',
      'For the real thing, restart Redis yourself while the drill runs (docker restart, systemctl restart redis): this page says Offline, then catches up.',
    ],
    stop: 'End the drill',
    next: 'Recovered when all workers run and the backlog is gone.',
    settings: {},
    cutsConnections: true,
  },
};

/** The settings of a drill: the defaults without random failures, so that what fails is the drill's doing. */
export const drillSettings = (id: LabDrillId): typeof LAB_DEFAULTS => ({
  ...LAB_DEFAULTS,
  failPercent: 0,
  ...LAB_DRILL_PLANS[id].settings,
});
