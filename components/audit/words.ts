/** The entries of the audit log in words; pure. What it does not know it shows as it stands there. */
import { links } from '@/lib/client/links';
import type { WayIn } from '@/lib/contract/access';
import type { AuditEntry, AuditObjectKind } from '@/lib/contract/audit';
import { NAME_PATTERN } from '@/lib/contract/names';
import { count } from '@/lib/format/plural';

/** By what they are about, in the order of the filter. */
export const ACTIONS: Readonly<Record<string, { label: string; actions: Readonly<Record<string, string>> }>> =
  {
    queue: {
      label: 'Queues',
      actions: {
        'queue.pause': 'Pause queue',
        'queue.resume': 'Resume queue',
        'queue.drain': 'Drain queue',
        'queue.undrain': 'Take jobs again',
        'queue.config': 'Change settings',
        'queue.sharding': 'Change shards',
        'queue.reclaim': 'Reclaim leases',
        'queue.claim': 'Claim jobs',
        'queue.read': 'Look at a queue',
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
        'job.read': 'Look at jobs',
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
    session: {
      label: 'Sessions',
      actions: {
        'session.begin': 'Sign in',
        'session.prove': 'Prove identity',
        'session.end': 'End session',
        'session.end-all': 'End other sessions',
      },
    },
    access: { label: 'Access', actions: { 'access.change': 'Change access' } },
    person: { label: 'Passwords', actions: { 'person.password': 'Change password' } },
    token: {
      label: 'API tokens',
      actions: { 'token.create': 'Create API token', 'token.revoke': 'Revoke API token' },
    },
    lab: {
      label: 'Lab',
      actions: {
        'lab.settings': 'Change lab',
        'lab.burst': 'Lab burst',
        'lab.reclaim': 'Lab reclaim sweep',
      },
    },
    audit: {
      label: 'The log itself',
      actions: {
        'audit.read': 'Read audit log',
        'audit.export': 'Export audit log',
        'audit.trim': 'Old entries let go',
        'audit.gap': 'Records missing',
        'audit.key': 'Key changed',
        'audit.refusals': 'More refusals, counted',
      },
    },
  };

export function actionWords(action: string): string {
  const about = ACTIONS[action.split('.', 1)[0] ?? ''];
  return about?.actions[action] ?? action.replaceAll(/[._-]/g, ' ');
}

export const KIND_LABELS: Readonly<Record<AuditObjectKind, string>> = {
  queue: 'Queue',
  job: 'Job',
  operation: 'Operation',
  schedule: 'Schedule',
  group: 'Failure group',
  search: 'Saved search',
  person: 'Person',
  session: 'Session',
  token: 'API token',
  lab: 'Lab',
  worker: 'Worker',
  audit: 'Audit log',
};

const WAYS: Readonly<Record<WayIn, string>> = {
  none: 'not asked to sign in',
  link: 'by one-time link',
  local: 'by password',
  oidc: 'by single sign-on',
  token: 'by API token',
};
export const wayWords = (way: WayIn | null): string => (way === null ? 'not over HTTP' : WAYS[way]);

/** Where it was done from, for a hover. */
export const fromWords = ({ actorId, way, address }: AuditEntry): string =>
  [actorId, wayWords(way), address === null ? null : `from ${address}`].filter(Boolean).join('\n');

export interface ObjectWords {
  readonly kind: string;
  readonly id: string;
  /** Its page; null: it has none. */
  readonly href: string | null;
}

/** What it was done to. */
export function objectWords({ object, queue }: AuditEntry): ObjectWords | null {
  if (object === null) return queue === null ? null : { kind: 'Queue', id: queue, href: queueHref(queue) };
  return { kind: KIND_LABELS[object.kind], id: object.id, href: hrefOf(object, queue) };
}

// A refused attempt may name what can be no name: that leads nowhere.
const queueHref = (queue: string): string | null => (NAME_PATTERN.test(queue) ? links.queue(queue) : null);

function hrefOf({ kind, id }: { kind: AuditObjectKind; id: string }, queue: string | null): string | null {
  switch (kind) {
    case 'queue':
      return queueHref(queue ?? id);
    case 'job':
      return queue !== null && NAME_PATTERN.test(queue) && NAME_PATTERN.test(id)
        ? links.job(queue, id)
        : null;
    case 'operation':
      return NAME_PATTERN.test(id) && id !== kind ? links.operation(id) : null;
    case 'schedule':
      return links.schedules();
    case 'group':
      return /^[0-9a-f]{6,64}$/.test(id) ? links.dead(`group:${id}`) : null;
    case 'person':
      return links.access('people');
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
    case 'audit':
      return null;
  }
}

/** Of how many; the same refused more than once says so. */
export function countWords({ count: n, result, object }: AuditEntry): string | null {
  if (n === null || n === 0) return null;
  if (result === 'refused') return n > 1 ? `${n} times` : null;
  return object?.kind === 'job' && n === 1 ? null : count(n, 'job');
}
