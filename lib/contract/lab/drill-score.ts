/** The score of a drill from measurements of the lab's queues. Pure. */
import type { LabDrillId } from './lab-drills';
import type { LabDrill, LabSample, LabSettings } from './lab-schemas';

/** Jobs that may wait without a drill's doing, besides the jobs from before: a few seconds of traffic. */
const CALM_JOBS = 30;
const CALM_AGE_MS = 5_000;
/** Of the dead letters that a drill made, so many may be left. */
const LEFT_SHARE = 0.05;
const LEFT_MIN = 2;

export function newDrill(id: LabDrillId, at: number, before: LabSettings, baseline: LabSample): LabDrill {
  return {
    id,
    startedAt: at,
    stoppedAt: null,
    noticedAt: null,
    verdictAt: null,
    recoveredAt: null,
    before,
    baseline,
    diedAtStop: null,
    runsFailed: 0,
    runsLost: 0,
    died: 0,
    crashes: 0,
    longestWaitMs: 0,
    lost: 0,
    connectionsCut: null,
  };
}

/** The drill after one more sample. @param serving whether every worker process runs */
export function scoreDrill(drill: LabDrill, sample: LabSample, serving: boolean): LabDrill {
  if (drill.recoveredAt !== null || sample.at <= drill.startedAt) return drill;
  const { baseline } = drill;
  const scored: LabDrill = {
    ...drill,
    runsFailed: sample.failed - baseline.failed,
    runsLost: sample.reclaimed - baseline.reclaimed,
    died: sample.died - baseline.died,
    crashes: sample.crashes - baseline.crashes,
    longestWaitMs: Math.max(drill.longestWaitMs, sample.oldestReadyMs),
    lost: sample.lost,
  };
  if (drill.stoppedAt === null)
    return { ...scored, noticedAt: drill.noticedAt ?? (shows(scored, sample) ? sample.at : null) };
  const recovered = serving && sample.at > drill.stoppedAt && isCalm(scored, sample);
  return { ...scored, recoveredAt: recovered ? sample.at : null };
}

/** Whether the numbers show what the drill does. */
function shows(drill: LabDrill, sample: LabSample): boolean {
  switch (drill.id) {
    case 'crash-storm':
      return drill.crashes > 0;
    case 'bad-deploy':
      return drill.died > 0;
    case 'outage':
      return drill.runsFailed >= 5;
    case 'noisy-tenant':
    case 'slow-consumer':
      return sample.oldestReadyMs >= CALM_AGE_MS;
    case 'redis-restart':
      return drill.runsLost > 0 || sample.oldestReadyMs >= CALM_AGE_MS;
  }
}

function isCalm({ id, baseline, diedAtStop }: LabDrill, sample: LabSample): boolean {
  const waiting = ({ ready, retry }: LabSample) => ready + retry;
  if (waiting(sample) > waiting(baseline) + CALM_JOBS || sample.oldestReadyMs >= CALM_AGE_MS) return false;
  if (id !== 'bad-deploy') return true;
  // Those that died after it was stopped are not its doing.
  const made = (diedAtStop ?? sample.died) - baseline.died;
  const since = sample.died - (diedAtStop ?? sample.died);
  const left = sample.deadLetters - baseline.deadLetters - since;
  return left <= Math.max(LEFT_MIN, made * LEFT_SHARE);
}
