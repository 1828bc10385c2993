/** The verdicts and topics of the checks of Redis. Without zod: pages begin with them. */

/** Worst first. `unknown`: the user of the connection may not ask. */
export const CHECK_VERDICTS = ['bad', 'warn', 'unknown', 'ok'] as const;
export type CheckVerdict = (typeof CHECK_VERDICTS)[number];

export const CHECK_TOPICS = [
  'memory',
  'durability',
  'replication',
  'clients',
  'latency',
  'scripts',
  'security',
  'server',
] as const;
export type CheckTopic = (typeof CHECK_TOPICS)[number];

/** The worst of several; unknown is worse than ok. */
export const worstVerdict = (verdicts: readonly CheckVerdict[]): CheckVerdict =>
  CHECK_VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'ok';
