/**
 * Resources that all users share, and how many of them one user may hold. The script that adds an item checks its quota
 * (lib/broker/lua/access/shares.lua), so that two calls at once cannot exceed it together.
 */

export interface Quota {
  /** How many there may be in all. */
  readonly total: number;
  /** How many of them one user may hold, with all sessions and tokens. */
  readonly perUser: number;
  /** How many of them the users of one tenant may hold together. Users of whole queues do not count. */
  readonly perTenant: number;
  /** Room beyond `total`, for administrators only. */
  readonly reserve: number;
  /** The plural noun, as a sentence uses it. */
  readonly things: string;
  /** How to make room. */
  readonly remedy: string;
  /** Private items: then `perUser` limits administrators, too. */
  readonly isPersonal?: true;
  /** The permission that shows how many each user holds. */
  readonly namesFor: 'view' | 'access';
}

export const QUOTAS = {
  operations: {
    total: 100,
    perUser: 25,
    perTenant: 50,
    reserve: 10,
    things: 'open operations',
    remedy: 'Cancel some or let them end, then start this one',
    namesFor: 'view',
  },
  undos: {
    total: 1_000,
    perUser: 250,
    perTenant: 500,
    reserve: 100,
    things: 'operations that can be undone',
    remedy: 'Undo some, or wait until the time to undo some of them is over',
    namesFor: 'view',
  },
  exports: {
    total: 40,
    perUser: 10,
    perTenant: 20,
    reserve: 5,
    things: 'open exports',
    remedy: 'Fetch or cancel some, then start this one',
    namesFor: 'view',
  },
  pauses: {
    total: 100,
    perUser: 25,
    perTenant: 50,
    reserve: 10,
    things: 'pauses of tenants and job types in this queue',
    remedy: 'Resume some, or pause the whole queue, which is always possible',
    namesFor: 'view',
  },
  schedules: {
    total: 1_000,
    perUser: 250,
    perTenant: 500,
    reserve: 50,
    things: 'schedules',
    remedy: 'Delete some that are no longer needed',
    namesFor: 'view',
  },
  fences: {
    total: 5_000,
    perUser: 1_000,
    perTenant: 2_000,
    reserve: 500,
    things: 'schedules deleted or moved to another queue within a day',
    remedy: 'Wait until some of them are a day old, or change a schedule instead of creating it again',
    namesFor: 'access',
  },
  searches: {
    total: 200,
    perUser: 20,
    perTenant: 100,
    reserve: 20,
    things: 'saved searches',
    remedy: 'Delete some that are no longer needed',
    isPersonal: true,
    namesFor: 'access',
  },
  tokens: {
    total: 5_000,
    perUser: 50,
    perTenant: 1_000,
    reserve: 100,
    things: 'API tokens',
    remedy: 'Revoke some that are no longer needed',
    isPersonal: true,
    namesFor: 'access',
  },
  notes: {
    total: 5_000,
    perUser: 1_250,
    perTenant: 2_500,
    reserve: 250,
    things: 'failure groups with a name, note or status',
    remedy: 'Set some back to open, without name and note',
    namesFor: 'access',
  },
  queues: {
    total: 10_000,
    perUser: 1_000,
    perTenant: 2_000,
    reserve: 1_000,
    things: 'queues first named over HTTP',
    remedy: 'Enqueue to a queue that exists, or have some deleted that are no longer needed',
    namesFor: 'access',
  },
  silences: {
    total: 200,
    perUser: 50,
    perTenant: 100,
    reserve: 20,
    things: 'silences of alerts',
    remedy: 'Remove some, let some end, or silence a code in all queues at once',
    namesFor: 'view',
  },
  /** Counted by each console for itself: see lib/server/live/live-hub.ts. */
  streams: {
    total: 500,
    perUser: 20,
    perTenant: 250,
    reserve: 50,
    things: 'live connections to one console',
    remedy: 'Close some tabs',
    namesFor: 'access',
  },
  shardings: {
    total: 4_000,
    perUser: 1_000,
    perTenant: 2_000,
    reserve: 500,
    things: 'shards of queues sharded over HTTP',
    remedy: 'Use fewer shards or a queue that is sharded already, or ask an administrator',
    namesFor: 'access',
  },
} as const satisfies Record<string, Quota>;
export type QuotaName = keyof typeof QUOTAS;

/** The quota counts at most so many tenants of a user. */
const QUOTA_TENANTS_MAX = 50;

/** The user that a change counts for. Library calls have none: they may use all but the reserve. */
export interface QuotaOwner {
  /** The same for all sessions and tokens of the user. */
  readonly id: string;
  readonly name: string;
  /** The tenants that their rights are limited to. Empty: they have rights on whole queues. */
  readonly tenants: readonly string[];
  /** Holds `access` everywhere: no quota per user, and the reserve is theirs. */
  readonly isAdmin: boolean;
  /** Sees operations, pauses and schedules of all users. */
  readonly seesAll: boolean;
}

/** The arguments of the script. */
interface QuotaRequest {
  readonly quota: QuotaName;
  readonly total: number;
  /** 0, also of `perTenant`: no limit but `total`. */
  readonly perUser: number;
  readonly perTenant: number;
  readonly ownerId: string;
  readonly name: string;
  readonly tenants: readonly string[];
}

export const LIBRARY_OWNER = 'library';

/** Scripts read one a line. */
const oneLine = (words: string, maxChars: number): string =>
  words.slice(0, maxChars).replaceAll(/\p{Cc}/gu, ' ') || '?';

export function quotaRequest(ceiling: QuotaName, holder: QuotaOwner | undefined): QuotaRequest {
  const { total: whole, perUser, perTenant, reserve, isPersonal }: Quota = QUOTAS[ceiling];
  const isBound = holder !== undefined && !holder.isAdmin;
  return {
    quota: ceiling,
    total: holder?.isAdmin ? whole + reserve : whole,
    perUser: isBound || (holder && isPersonal) ? perUser : 0,
    perTenant: isBound ? perTenant : 0,
    ownerId: oneLine(holder?.id ?? LIBRARY_OWNER, 300),
    name: oneLine(holder?.name ?? 'the library', 100),
    tenants: [...(holder?.tenants ?? [])].sort().slice(0, QUOTA_TENANTS_MAX),
  };
}

export interface QuotaUsage {
  readonly all: number;
  readonly own: number;
  /** The users who hold most, without the caller. Null: the caller may not see who they are. */
  readonly others: readonly { readonly name: string; readonly count: number }[] | null;
}

/** The sentence of a refusal, and the message of its field. @param why the script refused: `whole`, `user`, or `tenant <name>` */
export function describeQuotaRefusal(
  ceiling: QuotaName,
  why: string,
  { all, own, others }: QuotaUsage,
): { detail: string; message: string } {
  const { total: whole, perUser, perTenant, reserve, things, remedy } = QUOTAS[ceiling];
  const tenant = why.startsWith('tenant ') ? why.slice('tenant '.length) : null;
  const first =
    why === 'user'
      ? `You hold ${own} ${things}; one user may hold ${perUser} of ${whole}.`
      : tenant !== null
        ? `The users of tenant ${tenant} hold ${perTenant} ${things}; the users of one tenant may hold ${perTenant} of ${whole}.`
        : `There are ${all} ${things}; ${whole} are the most, and ${reserve} more for administrators.`;
  const named = (others ?? []).map(({ name, count }) => `${name} ${count}`);
  const rest = all - own - (others ?? []).reduce((sum, { count }) => sum + count, 0);
  const held = [`you ${own}`, ...named, ...(rest > 0 ? [`others ${rest}`] : [])];
  return {
    detail: `${first} Held now: ${held.join(', ')}. ${remedy}.`,
    message: `the limit of ${things} is reached: ${whole} in all, ${perUser} of one user, ${perTenant} of the users of one tenant`,
  };
}
