/** Kinds, results and limits of audit events. */

/** Longer texts in `before` and `after` are cut. */
export const AUDIT_CHANGE_MAX_BYTES = 2_000;
export const AUDIT_RESULTS = ['done', 'refused'] as const;
export const AUDIT_OBJECTS = [
  'queue',
  'job',
  'operation',
  'schedule',
  'group',
  'search',
  'mark',
  'user',
  'session',
  'token',
  'lab',
  'worker',
  'alert',
  'silence',
  'channel',
  'audit',
] as const;
export type AuditObjectKind = (typeof AUDIT_OBJECTS)[number];

export const AUDIT_PAGE_MAX = 200;
