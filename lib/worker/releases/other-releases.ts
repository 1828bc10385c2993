/** Whether workers of another release may run a job that this worker cannot, as during a rolling deploy. */
import type { WorkerRelease } from '@/lib/broker/application';
import { canRun, RELEASE_LIVE_MS, type ReleaseAnswer } from '@/lib/contract/workers/release-coverage';
import { withCallDeadline } from '../worker-deadline';
import type { ClaimedJob, Clock, WorkerBroker } from '../worker-types';

export interface OtherReleases {
  /**
   * How long this worker leaves the job to others, in ms: 0 for the first time, then longer each time. Null: no other release can run it.
   * @param payload what the schema of this worker refuses; null: it has no handler
   * @param givenBack how often the job was given back before
   */
  waitFor(job: ClaimedJob, payload: string | null, givenBack: number): Promise<number | null>;
}

export interface OtherReleasesDeps {
  readonly broker: { readonly workers: Pick<WorkerBroker['workers'], 'releases'> };
  /** The digest of this worker's own release. */
  readonly own: string;
  /** For so long after it was last seen a release counts as there. */
  readonly forMs: number;
  readonly clock: Clock;
  onTrouble(error: unknown): void;
}

type Answer = { readonly at: number; readonly releases: readonly WorkerRelease[] };

const DEADLINE_MS = 1_000;
/** So long what was read serves for a yes. A no is read anew: the first worker of a release may just have come. */
const FRESH_MS = 5_000;
const FIRST_WAIT_MS = 50;
/** Often enough that a job finds the one new worker among ten old ones. */
const WAIT_MAX_MS = 5_000;

export function createOtherReleases(deps: OtherReleasesDeps): OtherReleases {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let known: Promise<Answer | null> = Promise.resolve(null);

  function look(maxAgeMs: number): Promise<Answer | null> {
    const nowMs = deps.clock.monotonicMs();
    if (nowMs - readAtMs >= maxAgeMs) {
      readAtMs = nowMs;
      const call = deps.broker.workers.releases();
      known = withCallDeadline(call, DEADLINE_MS, 'the releases of workers').catch((error: unknown) => {
        deps.onTrouble(error);
        return null;
      });
    }
    return known;
  }

  async function ask(job: ClaimedJob, payload: string | null): Promise<ReleaseAnswer> {
    const answer = await look(FRESH_MS);
    const first = answer ? judge(answer, job, payload) : 'perhaps';
    if (first !== 'no') return first;
    const again = await look(0);
    return again ? judge(again, job, payload) : 'perhaps';
  }

  function judge({ at, releases }: Answer, job: ClaimedJob, payload: string | null) {
    const there = releases.filter(
      ({ digest, queues, lastSeenAt }) =>
        digest !== deps.own && queues.includes(job.queue) && at - lastSeenAt <= deps.forMs + RELEASE_LIVE_MS,
    );
    const answers = there.map((release) => canRun(release, job, payload));
    return answers.includes('yes') ? 'yes' : answers.includes('perhaps') ? 'perhaps' : 'no';
  }

  return {
    async waitFor(job, payload, givenBack) {
      const answer = await ask(job, payload);
      // A schema that is told leaves out patterns and formats: it may take what its handler refuses, so this ends some time.
      if (answer === 'no' || (answer === 'perhaps' && waitedMs(givenBack) > deps.forMs)) return null;
      return waitAfterMs(givenBack);
    },
  };
}

const waitAfterMs = (givenBack: number): number =>
  givenBack === 0 ? 0 : Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** Math.min(20, givenBack - 1));

/** The shortest time that all waits so far took. */
function waitedMs(givenBack: number): number {
  const growing = Math.min(givenBack, 10);
  let sum = (givenBack - growing) * WAIT_MAX_MS;
  for (let i = 0; i < growing; i++) sum += waitAfterMs(i);
  return sum;
}
