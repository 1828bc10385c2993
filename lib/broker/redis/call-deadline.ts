/** No await without an end, also on connections without a deadline. */
import { patientTimer } from './connection/patient-timer';

/** `translate` turns it into an unknown outcome. */
const timedOut = () => new Error('The call timed out');

/** Time in which the event loop stood still does not count. @throws what `late` makes, when `promise` has not settled within `ms` */
export async function withDeadline<T>(
  promise: Promise<T>,
  ms: number,
  late: () => Error = timedOut,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    patientTimer(
      ms,
      () => reject(late()),
      (next) => {
        timer = next;
      },
    );
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
