/** What a route of the HTTP API takes and answers. Routes, OpenAPI description, reference page, client and tests read it. */
import type { z } from 'zod';
import type { Permission } from '../access/grant-scopes';
import type { ErrorCode } from '../redrive-error';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A reply that is not one JSON value: a file, or a stream. `line`: each line of it is such a value. */
export interface ContentReply {
  readonly content: readonly string[];
  readonly line?: z.ZodType;
}

/** An API token (`Authorization: Bearer`), or the cookie of a session. */
export type Credential = 'token' | 'session';

/**
 * How a request reads. `small`: a few calls of Redis or none; it never waits for others. `large`: its work grows with queues or jobs; a few of one
 * user run at a time, in turns with the reads of others, and the rest wait or get 429. `turns`: its scans take such turns, but it does not wait to
 * begin: streams, which have limits of their own, and changes that count first.
 */
export type ReadKind = 'small' | 'large' | 'turns';
/** No GET without: what forgets to say it would be as many as anybody asks for. */
type Reads =
  | { readonly method: 'GET'; readonly reads: ReadKind }
  | { readonly method: Exclude<HttpMethod, 'GET'>; readonly reads?: ReadKind };

type Schema = z.ZodType | undefined;

type Example<Q, B> = B extends z.ZodType ? z.input<B> : Q extends z.ZodType ? z.input<Q> : never;

export interface RouteDescription<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  R extends z.ZodType | ContentReply = z.ZodType | ContentReply,
> {
  readonly method: HttpMethod;
  /** Parameters in braces, as in OpenAPI. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** Required in at least one queue; each item is checked, too. `signed-in`: any principal. `public`: no sign-in. */
  readonly permission: Permission | 'signed-in' | 'public';
  /** Default for other methods than GET: `small`. */
  readonly reads?: ReadKind;
  /** How a request may sign in, where that does not follow from the permission; see `credentialsOf`. */
  readonly credentials?: readonly Credential[];
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly reply: R;
  /** Of success; default 200. */
  readonly status?: 201 | 202;
  /** The condition for a 200 with the same reply, as words after `if`. */
  readonly okIf?: string;
  /** A body (of a GET, a query) for the reference, where required members alone make none that is valid. */
  readonly example?: Example<Q, B>;
  /** Errors besides those that follow from permission, parameters and body. */
  readonly errors?: readonly ErrorCode[];
}

/** Keeps the types of the schemas. */
export const describeRoute = <
  const R extends z.ZodType | ContentReply,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
>(
  description: RouteDescription<P, Q, B, R> & Reads,
): RouteDescription<P, Q, B, R> => description;

export const isContent = (reply: z.ZodType | ContentReply): reply is ContentReply => 'content' in reply;

/** How a request to it may sign in; empty: not at all. Jobs are claimed by programs only. With AUTH=none, no route asks. */
export const credentialsOf = ({
  permission,
  credentials,
}: Pick<RouteDescription, 'permission' | 'credentials'>): readonly Credential[] => {
  if (permission === 'public') return [];
  return credentials ?? (permission === 'work' ? ['token'] : ['token', 'session']);
};

/** A leaked API token must not be able to make others, end the sessions of its owner, or change who is told of alerts. */
export const SESSION_ONLY = ['session'] as const;
