/** Labels of the audit log; pure. An unknown action is shown by its name. */
import { links } from '@/lib/browser/links';
import { methodLabel } from '@/lib/contract/access/access-labels';
import type { SignInMethod } from '@/lib/contract/access/access-limits';
import type { AuditObjectKind } from '@/lib/contract/audit/audit-objects';
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import { NAME_PATTERN } from '@/lib/contract/name-pattern';
import { count } from '@/lib/format/plural';

/** By subject, in the order of the filter. */
export const ACTION_LABELS: Readonly<
  Record<string, { label: string; actions: Readonly<Record<string, string>> }>
> = {
  queue: {
    label: 'Queues',
    actions: {
      'queue.pause': 'Pause queue',
      'queue.resume': 'Resume queue',
      'queue.drain': 'Drain queue',
      'queue.undrain': 'Stop draining',
      'queue.config': 'Change settings',
      'queue.sharding': 'Change shards',
      'queue.reclaim': 'Reclaim leases',
      'queue.claim': 'Claim jobs',
      'queue.read': 'View queue',
    },
  },
  job: {
    label: 'Jobs',
    actions: {
      'job.enqueue': 'Enqueue jobs',
      'job.redrive': 'Re-drive job',
      'job.promote': 'Run job now',
      'job.retry': 'Retry job now',
      'job.cancel': 'Cancel job',
      'job.suppress': 'Suppress job',
      'job.purge': 'Purge job',
      'job.restore': 'Restore job',
      'job.remove': 'Delete job',
      'job.payload': 'Edit payload',
      'job.unmask': 'Unmask job',
      'job.read': 'View jobs',
    },
  },
  operation: {
    label: 'Operations',
    actions: {
      'operation.preview': 'Preview operation',
      'operation.start': 'Start operation',
      'operation.approve': 'Approve operation',
      'operation.reject': 'Reject operation',
      'operation.pause': 'Pause operation',
      'operation.resume': 'Resume operation',
      'operation.change': 'Change operation',
      'operation.cancel': 'Cancel operation',
      'operation.undo': 'Undo operation',
      'operation.end': 'Operation ended',
      'operation.arrive': 'Jobs arrived',
      'operation.download': 'Download export',
    },
  },
  schedule: {
    label: 'Schedules',
    actions: {
      'schedule.create': 'Create schedule',
      'schedule.change': 'Change schedule',
      'schedule.run': 'Run schedule',
      'schedule.pause': 'Pause schedule',
      'schedule.resume': 'Resume schedule',
      'schedule.delete': 'Delete schedule',
    },
  },
  group: { label: 'Failure groups', actions: { 'group.change': 'Change failure group' } },
  search: {
    label: 'Saved searches',
    actions: { 'search.save': 'Save search', 'search.remove': 'Remove search' },
  },
  alert: {
    label: 'Alerts',
    actions: {
      'alert.acknowledge': 'Acknowledge alert',
      'alert.silence': 'Silence alerts',
      'alert.unsilence': 'End silence',
      'alert.channel-add': 'Make channel',
      'alert.channel-change': 'Change channel',
      'alert.channel-remove': 'Remove channel',
      'alert.test': 'Test channel',
    },
  },
  mark: { label: 'Marks', actions: { 'mark.add': 'Mark deploy' } },
  session: {
    label: 'Sessions',
    actions: {
      'session.begin': 'Sign in',
      'session.reauthenticate': 'Re-authenticate',
      'session.end': 'End session',
      'session.end-all': 'End other sessions',
    },
  },
  access: { label: 'Access', actions: { 'access.change': 'Change access' } },
  user: { label: 'Passwords', actions: { 'user.password': 'Change password' } },
  token: {
    label: 'API tokens',
    actions: { 'token.create': 'Create API token', 'token.revoke': 'Revoke API token' },
  },
  worker: {
    label: 'Workers',
    actions: {
      'worker.quiet': 'Quiet worker',
      'worker.resume': 'Resume worker',
      'worker.stop': 'Stop worker',
      'worker.request': 'Request to workers',
    },
  },
  lab: {
    label: 'Lab',
    actions: {
      'lab.settings': 'Change lab',
      'lab.burst': 'Lab burst',
      'lab.drill': 'Start drill',
      'lab.drill-stop': 'Stop drill',
      'lab.reset': 'Reset lab totals',
      'lab.reclaim': 'Lab reclaim sweep',
    },
  },
  audit: {
    label: 'Audit log',
    actions: {
      'audit.read': 'Read audit log',
      'audit.export': 'Export audit log',
      'audit.trim': 'Events expired',
      'audit.gap': 'Events missing',
      'audit.left-out': 'Events left out',
      'audit.key': 'Key changed',
      'audit.refusals': 'Refusals (aggregated)',
    },
  },
};

export function actionLabel(action: string): string {
  const about = ACTION_LABELS[action.split('.', 1)[0] ?? ''];
  return about?.actions[action] ?? action.replaceAll(/[._-]/g, ' ');
}

export const KIND_LABELS: Readonly<Record<AuditObjectKind, string>> = {
  queue: 'Queue',
  job: 'Job',
  operation: 'Operation',
  schedule: 'Schedule',
  group: 'Failure group',
  search: 'Saved search',
  mark: 'Mark',
  user: 'User',
  session: 'Session',
  token: 'API token',
  lab: 'Lab',
  worker: 'Worker',
  alert: 'Alert',
  silence: 'Silence',
  channel: 'Channel',
  audit: 'Audit log',
};

export const originMethodLabel = (method: SignInMethod | null): string =>
  method === null ? 'not over HTTP' : methodLabel(method);

/** Id, sign-in method and address of the user, for a tooltip. */
export const originLabel = ({ actorId, method, address }: AuditEventView): string =>
  [actorId, originMethodLabel(method), address === null ? null : `from ${address}`]
    .filter(Boolean)
    .join('\n');

export interface ObjectLabel {
  readonly kind: string;
  /** Null: nothing was made that could have one. */
  readonly id: string | null;
  /** Null: the object has no page. */
  readonly href: string | null;
}

/** The object of an event. */
export function objectLabel({ object, queue, result }: AuditEventView): ObjectLabel | null {
  if (object === null) return queue === null ? null : { kind: 'Queue', id: queue, href: queueHref(queue) };
  // What was refused may have no id yet: then its kind is recorded.
  const isUnnamed = result === 'refused' && object.kind !== 'queue' && object.id === object.kind;
  const id = isUnnamed ? null : object.id;
  return { kind: KIND_LABELS[object.kind], id, href: id === null ? null : hrefOf(object, queue) };
}

// A refused attempt may hold an invalid name, which has no page.
export const queueHref = (queue: string): string | null =>
  NAME_PATTERN.test(queue) ? links.queue(queue) : null;

function hrefOf({ kind, id }: { kind: AuditObjectKind; id: string }, queue: string | null): string | null {
  switch (kind) {
    case 'queue':
      return queueHref(queue ?? id);
    case 'job':
      return queue !== null && NAME_PATTERN.test(queue) && NAME_PATTERN.test(id)
        ? links.job(queue, id)
        : null;
    case 'operation':
      return NAME_PATTERN.test(id) ? links.operation(id) : null;
    case 'schedule':
      return links.schedules();
    case 'group':
      return /^[0-9a-f]{6,64}$/.test(id) ? links.dead(`group:${id}`) : null;
    case 'user':
      return links.access('users');
    case 'token':
      return links.access('tokens');
    case 'session':
      return links.access('sessions');
    case 'lab':
      return links.lab();
    case 'worker':
      return links.workers();
    case 'search':
      return links.dead();
    case 'mark':
      return queue === null ? links.overview() : queueHref(queue);
    case 'alert':
    case 'silence':
      return links.alerts();
    case 'channel':
      return links.alerts({ tab: 'channels' });
    case 'audit':
      return null;
  }
}

/** How many jobs, or how often it was refused. */
export function jobCountLabel({ count: n, result, object }: AuditEventView): string | null {
  if (n === null || n === 0) return null;
  if (result === 'refused') return n > 1 ? `${n} times` : null;
  return object?.kind === 'job' && n === 1 ? null : count(n, 'job');
}
