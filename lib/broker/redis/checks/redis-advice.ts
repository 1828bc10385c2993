/**
 * Whether the reported Redis version has publicly known weaknesses. Advice, not a refusal: distributions patch older versions without
 * changing the number. Valkey calls itself Redis 7.2.4 and has versions of its own.
 */

/**
 * For each release line, the first version without CVE-2025-49844, CVE-2025-46817, CVE-2025-46818 and CVE-2025-46819 (scripts that escape
 * their sandbox). Raise them with each advisory. Null: the line ended before a fix.
 */
const FIXED: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  Valkey: { '7.2': '7.2.11', '8.0': '8.0.6', '8.1': '8.1.4' },
  Redis: {
    '6.2': '6.2.20',
    '7.0': null,
    '7.2': '7.2.11',
    '7.4': '7.4.6',
    '8.0': '8.0.4',
    '8.2': '8.2.2',
  },
};

/** The version that counts, from fields of INFO: that of Valkey with its name, such as `Valkey 8.1.4`. */
export function versionOf(field: (name: string) => string | undefined): string {
  const valkey = field('valkey_version');
  return valkey ? `Valkey ${valkey}` : (field('redis_version') ?? '');
}

/** A sentence for the operator of Redis; null: no known weakness. @param text as `versionOf` says it */
export function redisAdvice(text: string): string | null {
  const [, name = 'Redis', version = ''] = text.match(/^(?:(\w+) )?([\d.]+)$/) ?? [];
  const line = version.split('.').slice(0, 2).join('.');
  const fixed = FIXED[name]?.[line];
  if (fixed === undefined) return null;
  if (fixed !== null && version.localeCompare(fixed, 'en', { numeric: true }) >= 0) return null;
  const what = fixed === null ? `No ${line} of its makers` : `No version of ${line} before ${fixed}`;
  return `${name} says it is ${version}. ${what} is without known weaknesses in scripts (CVE-2025-49844 and others). If it comes from a distribution that patches older versions, look for these in its changelog; else upgrade it, and give the broker its own Redis user (docs/connections.md).`;
}
