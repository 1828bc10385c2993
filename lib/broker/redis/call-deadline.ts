/** No await without an end, also on connections without a deadline. */

/** `translate` turns it into an unknown outcome. */
const timedOut = () => new Error('The call timed out');

/** @throws what `late` makes, when `promise` has not settled within `ms` */
export async function withDeadline<T>(
  promise: Promise<T>,
  ms: number,
  late: () => Error = timedOut,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
