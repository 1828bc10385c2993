/** How far what is shown may be from the truth. */
export interface Estimate {
  readonly at: number;
  /** Null: absent. */
  readonly shown: number | null;
  readonly truth: number;
  /** What decides the truth has just changed unannounced: any reading needs some seconds to follow. */
  readonly follows: boolean;
}

const FAR = 0.2;

interface Accuracy {
  /** "12 s: 5.2 instead of 4". */
  readonly wrong: string[];
  /** Of all seconds in which there was something to say, 0..1. */
  readonly shownShare: number;
}

export function accuracyOf(estimates: readonly Estimate[]): Accuracy {
  const settled = estimates.filter(({ follows }) => !follows);
  const wrong = settled
    .filter(({ shown, truth }) => shown !== null && Math.abs(shown - truth) > truth * FAR)
    .map(({ at, shown, truth }) => `${at / 1_000} s: ${shown} instead of ${truth}`);
  const known = settled.filter(({ truth }) => truth > 0);
  const shownShare = known.filter(({ shown }) => shown !== null).length / Math.max(1, known.length);
  return { wrong, shownShare };
}
