/**
 * Whether the version that Redis says it is has weaknesses everybody knows of. Advice, and no refusal: distributions mend older versions
 * without changing this number, and Valkey has numbers of its own behind it.
 */

/**
 * Of each line, the first version without CVE-2025-49844, CVE-2025-46817, CVE-2025-46818 and CVE-2025-46819 (scripts that reach beyond
 * what scripts may do). Raise them with each advisory. Null: the line was given up before that, and has no such version.
 */
const MENDED: Readonly<Record<string, string | null>> = {
  '6.2': '6.2.20',
  '7.0': null,
  '7.2': '7.2.11',
  '7.4': '7.4.6',
  '8.0': '8.0.4',
  '8.2': '8.2.2',
};

/** A sentence for whoever looks after it, or null when nothing is known against it. */
export function redisAdvice(version: string): string | null {
  const line = version.split('.').slice(0, 2).join('.');
  const mended = MENDED[line];
  if (mended === undefined) return null;
  if (mended !== null && version.localeCompare(mended, 'en', { numeric: true }) >= 0) return null;
  const what = mended === null ? `No ${line} of its makers` : `No version of ${line} before ${mended}`;
  return `Redis says it is ${version}. ${what} is without known weaknesses in scripts (CVE-2025-49844 and others). If it comes from a distribution that mends older versions, look for these in its changelog; else upgrade it, and give the broker a user of its own (docs/connections.md).`;
}
