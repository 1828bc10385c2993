/**
 * What a query means: a tree of conditions. Text is parsed into it (`parseQuery`), it is printed back as text (`printQuery`),
 * judged against a job in memory (`matches`) and compiled for Redis (lib/broker/search). All four mean the same.
 */

/** Fields that hold one name each. A value is compared exactly, or by its beginning (`type:invoice.*`). */
export const NAME_FIELDS = [
  'queue',
  'type',
  'tenant',
  'code',
  'class',
  'group',
  'id',
  'key',
  'correlation',
  'trace',
  'operation',
] as const;
export type NameField = (typeof NAME_FIELDS)[number];

/** Fields that hold a whole number. */
export const NUMBER_FIELDS = ['attempts', 'priority', 'version'] as const;
export type NumberField = (typeof NUMBER_FIELDS)[number];

export const COMPARISONS = ['=', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type Filter =
  /** Everything: the empty query. Only ever the whole filter, never part of one. */
  | { readonly kind: 'all' }
  | { readonly kind: 'and'; readonly of: readonly Filter[] }
  | { readonly kind: 'or'; readonly of: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }
  /** A prefix of no letters: has one at all. A group is named by how its id begins: of fewer than twelve digits, always a prefix. */
  | { readonly kind: 'name'; readonly field: NameField; readonly value: string; readonly prefix: boolean }
  | {
      readonly kind: 'number';
      readonly field: NumberField;
      readonly compare: Comparison;
      readonly value: number;
    }
  /** How long it has been in its state, counted back from the moment the query is used. */
  | { readonly kind: 'age'; readonly compare: Comparison; readonly ms: number }
  /**
   * A value inside a JSON payload. `=` compares scalars as JSON writes them (`42`, `true`, `null`) and strings by their letters;
   * the orders compare numbers only. A step of the path that meets a list looks at each of its entries, and so does the end of
   * the path; a step of digits also picks that entry. A prefix of no letters: there is something, be it a list or an object.
   */
  | {
      readonly kind: 'payload';
      readonly path: readonly string[];
      readonly compare: Comparison;
      readonly value: string;
      readonly prefix: boolean;
      /** Of a range: one number from `value` to this one, both included. The comparison is `>=`. */
      readonly upTo?: string;
    }
  /** Occurs, whatever the case of A–Z, in the payload as it is stored, the id, the type, or the last error's code or message. */
  | { readonly kind: 'text'; readonly value: string };

export const QUERY_MAX_CHARS = 2_048;
export const QUERY_MAX_TERMS = 64;
export const QUERY_MAX_DEPTH = 5;

/** What `matches` looks at. Null: the job has none. */
export interface JobFacts {
  readonly queue: string;
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly tenant: string;
  readonly priority: number;
  readonly attempts: number;
  readonly code: string | null;
  readonly class: string | null;
  readonly group: string | null;
  readonly key: string | null;
  readonly correlation: string | null;
  readonly trace: string | null;
  /** The operation that moved it to where it is (or, dead again, the one that had put it back). */
  readonly operation: string | null;
  /** When it entered its state, in ms. */
  readonly enteredAt: number;
  /** As it is stored; null when it has none or it is no text. */
  readonly payload: string | null;
  /** The last error's message. */
  readonly message: string | null;
}
