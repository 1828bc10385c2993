/**
 * Scripts that look at many entries run two at a time in a process, and users take turns. So the load on Redis and on the event loop does not grow
 * with the number of searches, and a user with many of them is as fast as a user with one.
 */
import { RedriveError } from '@/lib/contract/redrive-error';
import { endOrTime } from '@/lib/process/end-or-time';
import { ReadShare, smallRequests, whenNoneIsSmall } from '@/lib/process/read-share';
import { RoundRobin } from '@/lib/process/round-robin';
import { TurnQueue } from '@/lib/process/turn-queue';
import type { ScriptName } from '../../lua.generated';
import { ScanPace } from './scan-pace';

export const SCANS: ReadonlySet<ScriptName> = new Set([
  'search',
  'search-rows',
  'search-aggregate',
  'search-groups',
  'reference-lookup',
  'reference-sweep',
  'queue-memory',
]);

const AT_ONCE = 2;
/** While another user scans, too, one user never has all places: the next turn of the other one comes at once. */
const PRESENT_MS = 1_000;
/** A server of a Cluster that does not answer must not hold up the scans of the others. */
const TURN_MAX_MS = 250;
const WAITING_MAX = 100_000;
const WAIT_MAX_MS = 60_000;

const order = new RoundRobin();
const pace = new ScanPace();
let isTimed = false;

const turns: TurnQueue<string> = new TurnQueue<string>(
  { most: AT_ONCE, waiting: WAITING_MAX, waitMaxMs: WAIT_MAX_MS },
  {
    compare: (a, b) => order.compare(a, b),
    ended: (owner) => {
      pace.ended();
      order.ended(owner);
    },
    started: (owner) => {
      pace.started();
      order.started(owner);
    },
    mayStart: (owner) =>
      !isGap() && (order.runningOf(owner) < AT_ONCE - 1 || !order.hasOthers(owner, PRESENT_MS)),
    refusal: () =>
      new RedriveError(
        'REDIS_UNAVAILABLE',
        `Other searches took all turns for ${WAIT_MAX_MS / 1_000} s. Try again.`,
      ),
  },
);
whenNoneIsSmall(() => turns.startNext());

function isGap(): boolean {
  if (smallRequests() === 0 || !pace.isGap) return false;
  const leftMs = pace.gapLeftMs;
  // The end of the scan that runs asks again.
  if (isTimed || leftMs === Number.POSITIVE_INFINITY) return true;
  isTimed = true;
  setTimeout(() => {
    isTimed = false;
    turns.startNext();
  }, leftMs);
  return true;
}

/** Of scans; other scripts run at once. @throws the reason of the signal when no client waits for the read any more, and what `scan` throws */
export async function inScanTurn<T>(script: ScriptName, scan: () => Promise<T>): Promise<T> {
  if (!SCANS.has(script)) return scan();
  const share = ReadShare.current();
  let call: Promise<T> | undefined;
  await turns.run(
    share?.owner ?? '',
    () => {
      call = scan();
      return endOrTime(call, TURN_MAX_MS);
    },
    share?.signal,
  );
  return call as Promise<T>;
}
