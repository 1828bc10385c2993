/** The payload: 200 bytes of JSON, the same for every side. */

export const PAYLOAD_BYTES = 200;

export interface Body {
  n: number;
  /** When it was sent (see BenchJob); `0` when nobody asks. */
  at: string;
  text: string;
}

const FILL = 'the quick brown fox jumps over the lazy dog and '.repeat(5);
const EMPTY_BYTES = JSON.stringify({ n: 0, at: '', text: '' }).length - 1;

export function bodyOf(n: number, at = '0'): Body {
  const digits = n < 10 ? 1 : String(n).length;
  return { n, at, text: FILL.slice(0, PAYLOAD_BYTES - EMPTY_BYTES - digits - at.length) };
}

/** For the peers, which know no tenants: it travels with the data. */
export const bodyWithTenant = (n: number, at: string | undefined, tenant: string) => ({
  ...bodyOf(n, at),
  tenant,
});

/** Nanoseconds of a clock that all processes of the machine share. */
export const clockNs = (): string => process.hrtime.bigint().toString();
