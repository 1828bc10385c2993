/** Every script that records an audit event, and whether a call of it does so for the request that sends it. Each records one at most. */
import { SCRIPTS, type ScriptName } from '../../lua.generated';
import { type AuditedCall, type AuditPurse, presentPurse } from './audit-purse';
import type { Arg } from './script-command';

interface Rule {
  /** Whether a call with these arguments, the clock first, may record. Left out: each may. */
  readonly records?: (args: readonly Arg[]) => boolean;
  /** Whether its reply says that it did. Left out: a reply that is, or begins with, a number above 0. */
  readonly recorded?: (reply: unknown) => boolean;
  readonly folds?: (args: readonly Arg[]) => boolean;
}

/** `argument(8)` is what the header of a script calls its eighth argument; the clock is the first. */
const argument = (n: number) => (args: readonly Arg[]) => args[n - 1] !== undefined && args[n - 1] !== '';
const firstOf = (reply: unknown): number => Number(Array.isArray(reply) ? reply[0] : reply);
const always: Rule = {};
/** Jobs named by a user. Chunks of an operation are paid for with its start. */
const namedJobs: Rule = {
  records: (args) => args[1] === '',
  recorded: (reply) => Array.isArray(reply) && reply.includes(1),
};

/**
 * `start`: paid for with the start of the operation. `bounded`: sessions, sign-ins and their ends have bounds of their own, and a user
 * without changes left can still end sessions and tokens.
 */
export const AUDITED: Partial<Record<ScriptName, Rule | 'start' | 'bounded'>> = {
  'alerts-change': { records: argument(8) },
  // A refused attempt: see lib/server/audit/audit-refusals.ts.
  'audit-note': { records: (args) => args[10] !== 'refused' },
  cancel: namedJobs,
  configure: always,
  delete: namedJobs,
  drain: { records: argument(3) },
  'drill-save': { records: argument(8) },
  'enqueue-audited': {
    recorded: (reply) => Array.isArray(reply) && enteredAny(reply),
    folds: (args) => args[args.length - 3] === 'job.enqueue',
  },
  'group-describe': always,
  'lab-burst': { records: argument(5) },
  'lab-save': { records: argument(3) },
  'lab-session': { records: argument(3) },
  'mark-add': always,
  'operation-record-end': 'start',
  'operation-save': { records: argument(9) },
  'operation-stop': 'start',
  pause: always,
  promote: namedJobs,
  recall: 'start',
  reclaim: {
    records: argument(3),
    recorded: (reply) => Array.isArray(reply) && Number(reply[0]) + Number(reply[1]) > 0,
  },
  redrive: namedJobs,
  reschedule: 'start',
  restore: namedJobs,
  resume: { records: (args) => String(args[3]) === '1' },
  'schedule-save': { records: argument(9) },
  'searches-save': always,
  'session-begin': 'bounded',
  'session-end': 'bounded',
  'session-end-all': 'bounded',
  'session-reauthenticate': 'bounded',
  'set-aside': namedJobs,
  'sharding-save': { records: argument(5) },
  'token-create': always,
  'token-revoke': 'bounded',
  'transfer-arrive': 'start',
  'transfer-send': 'start',
  'transfer-settle': 'start',
  'user-change': { recorded: (reply) => firstOf(reply) >= 0 },
  'worker-ask': always,
};

/** Behind the codes of the jobs come two numbers, and an owner for each job that is not unique. */
function enteredAny(reply: readonly unknown[]): boolean {
  const jobs = reply.length - 2 - reply.filter((code) => code === -2).length;
  return reply.slice(0, jobs).some((code) => code === 1 || code === 2);
}

interface PaidCall extends AuditedCall {
  readonly purse: AuditPurse;
  readonly rule: Rule;
}

/** Null: a script that records nothing that the present request has to pay for. */
export function paidCall(name: ScriptName, keys: readonly string[], args: readonly Arg[]): PaidCall | null {
  const rule = AUDITED[name];
  if (rule === undefined || typeof rule === 'string') return null;
  const purse = presentPurse();
  if (purse === null || rule.records?.(args) === false) return null;
  const key = keys[SCRIPTS[name].keys.findIndex((declared) => /^audit$|Audit$/.test(declared))] ?? '';
  const source = /\{([^}]*)\}/.exec(key)?.[1] ?? '';
  return { purse, rule, source, folds: rule.folds?.(args) === true };
}

/** @throws RedriveError RATE_LIMITED: nothing was sent */
export async function payAndSend(call: PaidCall, send: () => Promise<unknown>): Promise<unknown> {
  const { purse, rule } = call;
  await purse.before(call);
  // The script may have run even if this fails: then the event stays paid for.
  const reply = await send();
  if (!(rule.recorded ?? ((told: unknown) => firstOf(told) > 0))(reply)) purse.unused(call);
  return reply;
}
