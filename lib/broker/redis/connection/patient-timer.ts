/** Deadlines that do not count time in which this process stood still: its timers come before the answers that arrived meanwhile. */

/** A deadline passes in this many parts, and as many late ones are forgiven at most. */
export const PARTS = 5;
/** A timer that comes later than this came to a loop that stood still. */
export const lateAfterMs = (partMs: number): number => Math.max(50, partMs / 2);

/**
 * Calls `expire` after `ms`. A part counts once however long the loop stood in it, and after a late part there is another: in it the loop
 * reads what has come.
 * @param keep gets the timer to clear, a new one with each part
 */
export function patientTimer(ms: number, expire: () => void, keep: (timer: NodeJS.Timeout) => void): void {
  const partMs = ms / PARTS;
  let partsLeft = PARTS;
  let forgivenLeft = PARTS;
  const wait = () => {
    const dueMs = performance.now() + partMs;
    const onTime = () => {
      const isLate = performance.now() - dueMs > lateAfterMs(partMs);
      partsLeft -= 1;
      if (partsLeft > 0) wait();
      else if (isLate && forgivenLeft > 0) {
        forgivenLeft -= 1;
        partsLeft = 1;
        wait();
      } else expire();
    };
    keep(setTimeout(onTime, partMs));
  };
  wait();
}
