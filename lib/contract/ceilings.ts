/**
 * What all users share, and how much of it one of them may hold. Every ceiling of that kind is a row here; the script that adds a thing
 * asks it (lib/broker/lua/include/shares.lua), so that two calls at once cannot pass it together.
 */
import { z } from 'zod';

export interface Ceiling {
  /** How many there may be in all. */
  readonly whole: number;
  /** How many of them one user may hold, with all sessions and tokens. */
  readonly perUser: number;
  /** How many of them the users of one tenant may hold together. It counts users whose rights end at some tenants. */
  readonly perTenant: number;
  /** Room beyond `whole`, for administrators only. */
  readonly reserve: number;
  /** The things, as a sentence names them. */
  readonly things: string;
  /** How to make room. */
  readonly remedy: string;
  /** What is each user's own, and not an administrator's business: then `perUser` bounds these, too. */
  readonly isPersonal?: true;
  /** Who sees which user holds how many: those who see these things of everybody. */
  readonly namesFor: 'view' | 'access';
}

export const CEILINGS = {
  operations: {
    whole: 100,
    perUser: 25,
    perTenant: 50,
    reserve: 10,
    things: 'open operations',
    remedy: 'Cancel some or let them end, then start this one',
    namesFor: 'view',
  },
  exports: {
    whole: 40,
    perUser: 10,
    perTenant: 20,
    reserve: 5,
    things: 'open exports',
    remedy: 'Fetch or cancel some, then start this one',
    namesFor: 'view',
  },
  pauses: {
    whole: 100,
    perUser: 25,
    perTenant: 50,
    reserve: 10,
    things: 'pauses of tenants and job types in this queue',
    remedy: 'Resume some, or pause the whole queue, which is always possible',
    namesFor: 'view',
  },
  schedules: {
    whole: 1_000,
    perUser: 250,
    perTenant: 500,
    reserve: 50,
    things: 'schedules',
    remedy: 'Delete some that are no longer needed',
    namesFor: 'view',
  },
  fences: {
    whole: 5_000,
    perUser: 1_000,
    perTenant: 2_000,
    reserve: 500,
    things: 'schedules deleted or moved to another queue within a day',
    remedy: 'Wait until some of them are a day old, or change a schedule in place of making it anew',
    namesFor: 'access',
  },
  searches: {
    whole: 200,
    perUser: 20,
    perTenant: 100,
    reserve: 20,
    things: 'saved searches',
    remedy: 'Delete some that are no longer needed',
    isPersonal: true,
    namesFor: 'access',
  },
  tokens: {
    whole: 5_000,
    perUser: 50,
    perTenant: 1_000,
    reserve: 100,
    things: 'API tokens',
    remedy: 'Revoke some that are no longer needed',
    isPersonal: true,
    namesFor: 'access',
  },
  notes: {
    whole: 5_000,
    perUser: 1_250,
    perTenant: 2_500,
    reserve: 250,
    things: 'failure groups with a name, note or status',
    remedy: 'Set some back to open, without name and note',
    namesFor: 'access',
  },
  queues: {
    whole: 10_000,
    perUser: 1_000,
    perTenant: 2_000,
    reserve: 1_000,
    things: 'queues first named over HTTP',
    remedy: 'Enqueue to a queue that exists, or have some deleted that are no longer needed',
    namesFor: 'access',
  },
  /** Counted by each console for itself: see lib/server/hub.ts. */
  streams: {
    whole: 500,
    perUser: 20,
    perTenant: 250,
    reserve: 50,
    things: 'live connections to one console',
    remedy: 'Close some tabs',
    namesFor: 'access',
  },
  shardings: {
    whole: 1_000,
    perUser: 100,
    perTenant: 200,
    reserve: 100,
    things: 'queues sharded over HTTP',
    remedy: 'Use a queue that is sharded already, or ask an administrator: a sharding is kept for good',
    namesFor: 'access',
  },
} as const satisfies Record<string, Ceiling>;
export type CeilingName = keyof typeof CEILINGS;

/** A user's tenants that count; the rest of somebody who has more is not looked at. */
export const HOLDER_TENANTS_MAX = 50;

/** Whose share a change takes. A change without one is a call of the library: it may use all but the reserve. */
export interface Holder {
  /** The user's, whatever session or token they use. */
  readonly id: string;
  readonly name: string;
  /** Where their rights end at some tenants: these. Empty: they hold rights over whole queues. */
  readonly tenants: readonly string[];
  /** Holds `access` everywhere: no share bounds them, and the reserve is theirs. */
  readonly isAdmin: boolean;
  /** Sees operations, pauses and schedules of everybody. */
  readonly seesAll: boolean;
}

/** What the script is asked. */
export interface ShareRequest {
  readonly ceiling: CeilingName;
  readonly most: number;
  /** 0, also of `perTenant`: no bound but `most`. */
  readonly perUser: number;
  readonly perTenant: number;
  readonly holder: string;
  readonly name: string;
  readonly tenants: readonly string[];
}

export const LIBRARY_HOLDER = 'library';

/** Scripts read these a line each. */
const oneLine = (words: string, maxChars: number): string =>
  words.slice(0, maxChars).replaceAll(/\p{Cc}/gu, ' ') || '?';

export function shareRequest(ceiling: CeilingName, holder: Holder | undefined): ShareRequest {
  const { whole, perUser, perTenant, reserve, isPersonal }: Ceiling = CEILINGS[ceiling];
  const isBound = holder !== undefined && !holder.isAdmin;
  return {
    ceiling,
    most: holder?.isAdmin ? whole + reserve : whole,
    perUser: isBound || (holder && isPersonal) ? perUser : 0,
    perTenant: isBound ? perTenant : 0,
    holder: oneLine(holder?.id ?? LIBRARY_HOLDER, 300),
    name: oneLine(holder?.name ?? 'the library', 100),
    tenants: [...(holder?.tenants ?? [])].sort().slice(0, HOLDER_TENANTS_MAX),
  };
}

/** Why a script refused, in its reply: `whole`, `user`, or `tenant <name>`. */
export const shareRefusalSchema = z.string().regex(/^(whole|user|tenant \S+)$/);

export interface Holdings {
  readonly all: number;
  readonly own: number;
  /** The users who hold most, without the caller. Null: the caller may not see who they are. */
  readonly others: readonly { readonly name: string; readonly count: number }[] | null;
}

/** The sentence of a refusal, and what its field says. */
export function refusalWords(
  ceiling: CeilingName,
  why: string,
  { all, own, others }: Holdings,
): { detail: string; message: string } {
  const { whole, perUser, perTenant, reserve, things, remedy } = CEILINGS[ceiling];
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
