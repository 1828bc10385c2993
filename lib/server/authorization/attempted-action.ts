/** The audit log's action of a request that was refused before any code named it. */
import type { AuditObjectKind } from '@/lib/contract/audit/audit-objects';
import { CLAIM_ACTIONS } from '@/lib/contract/jobs/claim-requests';
import { JOB_ACTIONS } from '@/lib/contract/jobs/job-actions';

export interface AttemptedAction {
  readonly action: string;
  readonly object: { readonly kind: AuditObjectKind; readonly id: string } | null;
  readonly queue: string | null;
  /**
   * `change`: every refusal is recorded. `look`: changes nothing, so only missing permissions are recorded. `work`: a request of a worker;
   * its ordinary refusals, such as a lost claim, are not recorded.
   */
  readonly weight: 'change' | 'look' | 'work';
}

type Made = Pick<AttemptedAction, 'action'> & Partial<AttemptedAction>;
type Rule = readonly [method: string, path: RegExp, make: (parts: readonly string[]) => Made];

const queueAttempt = ([queue = '', action = '']: readonly string[]): Made => ({
  action: `queue.${action}`,
  object: { kind: 'queue', id: queue },
  queue,
  weight: action === 'claim' ? 'work' : 'change',
});
const on =
  (kind: AuditObjectKind, action: string, weight: AttemptedAction['weight'] = 'change') =>
  ([id = '']: readonly string[]): Made => ({
    action,
    object: { kind, id: id === '' ? kind : id },
    weight,
  });

const word = (text: string, known: object): string => (Object.hasOwn(known, text) ? text : 'unknown');
const OPERATION_ACTS = { pause: 1, resume: 1, cancel: 1, approve: 1, reject: 1, undo: 1 };

const RULES: readonly Rule[] = [
  ['POST', /^queues\/([^/]+)\/jobs$/, ([queue = '']) => ({ action: 'job.enqueue', queue })],
  [
    'POST',
    /^queues\/([^/]+)\/jobs\/([^/]+)\/([^/]+)$/,
    ([queue = '', id = '', act = '']) => ({
      action: `job.${word(act, { ...JOB_ACTIONS, ...CLAIM_ACTIONS, unmask: 1 })}`,
      object: { kind: 'job', id },
      queue,
      weight: Object.hasOwn(CLAIM_ACTIONS, act) ? 'work' : 'change',
    }),
  ],
  ['POST', /^queues\/([^/]+)\/(claim|pause|resume|drain|reclaim)$/, queueAttempt],
  ['PATCH', /^queues\/([^/]+)\/(config)$/, queueAttempt],
  ['PUT', /^queues\/([^/]+)\/(sharding)$/, queueAttempt],
  ['POST', /^operations$/, on('operation', 'operation.start')],
  ['POST', /^operations\/preview$/, on('operation', 'operation.preview', 'look')],
  ['PATCH', /^operations\/([^/]+)$/, on('operation', 'operation.change')],
  [
    'POST',
    /^operations\/([^/]+)\/([^/]+)$/,
    ([id = '', act = '']) => ({
      action: `operation.${word(act, OPERATION_ACTS)}`,
      object: { kind: 'operation', id },
    }),
  ],
  ['GET', /^operations\/([^/]+)\/file$/, on('operation', 'operation.download', 'look')],
  ['PATCH', /^dead\/groups\/([^/]+)$/, on('group', 'group.change')],
  ['POST', /^marks$/, on('mark', 'mark.add')],
  ['POST', /^searches$/, on('search', 'search.save')],
  ['DELETE', /^searches\/([^/]+)$/, on('search', 'search.remove')],
  ['POST', /^schedules$/, on('schedule', 'schedule.create')],
  ['POST', /^schedules\/preview$/, on('schedule', 'schedule.preview', 'look')],
  ['PATCH', /^schedules\/([^/]+)$/, on('schedule', 'schedule.change')],
  ['DELETE', /^schedules\/([^/]+)$/, on('schedule', 'schedule.delete')],
  [
    'POST',
    /^schedules\/([^/]+)\/(pause|resume|run)$/,
    ([id = '', act = '']) => ({ action: `schedule.${act}`, object: { kind: 'schedule', id } }),
  ],
  ['POST', /^workers\/requests$/, on('worker', 'worker.request')],
  ['POST', /^alerts\/silences$/, on('silence', 'alert.silence')],
  ['DELETE', /^alerts\/silences\/([^/]+)$/, on('silence', 'alert.unsilence')],
  ['POST', /^alerts\/channels$/, on('channel', 'alert.channel-add')],
  ['PATCH', /^alerts\/channels\/([^/]+)$/, on('channel', 'alert.channel-change')],
  ['DELETE', /^alerts\/channels\/([^/]+)$/, on('channel', 'alert.channel-remove')],
  ['POST', /^alerts\/channels\/([^/]+)\/test$/, on('channel', 'alert.test')],
  ['POST', /^alerts\/([^/]+)\/acknowledge$/, on('alert', 'alert.acknowledge')],
  // AUTH=none: a name in the browser's own cookie.
  ['PUT', /^me$/, on('user', 'user.name', 'look')],
  ['PUT', /^me\/tables$/, on('user', 'user.tables', 'look')],
  ['PUT', /^lab$/, on('lab', 'lab.settings')],
  ['POST', /^lab\/burst$/, on('lab', 'lab.burst')],
  ['POST', /^lab\/session$/, on('lab', 'lab.reset')],
  ['POST', /^lab\/drill$/, on('lab', 'lab.drill')],
  ['POST', /^lab\/reclaim$/, on('lab', 'lab.reclaim')],
  ['POST', /^session(?:\/link)?$/, on('session', 'session.begin')],
  ['DELETE', /^session$/, on('session', 'session.end')],
  ['POST', /^session\/reauthentication$/, on('session', 'session.reauthenticate')],
  ['POST', /^session\/password$/, on('user', 'user.password')],
  ['DELETE', /^access\/sessions$/, on('session', 'session.end-all')],
  ['DELETE', /^access\/sessions\/([^/]+)$/, on('session', 'session.end')],
  ['PATCH', /^access\/users\/([^/]+)$/, on('user', 'access.change')],
  ['POST', /^access\/tokens$/, on('token', 'token.create')],
  ['DELETE', /^access\/tokens\/([^/]+)$/, on('token', 'token.revoke')],
  ['GET', /^audit\/file$/, on('audit', 'audit.export', 'look')],
  ['GET', /^audit(?:\/check)?$/, on('audit', 'audit.read', 'look')],
];

const PART_MAX_CHARS = 100;
/** The object of a read, by the first part of the path. */
const READ: Readonly<Record<string, string>> = {
  queues: 'queue',
  dead: 'job',
  operations: 'operation',
  schedules: 'schedule',
  searches: 'search',
  workers: 'worker',
  alerts: 'alert',
  access: 'access',
  lab: 'lab',
};

/** `path`: below /api/v1/. */
export function attemptedAction(method: string, path: string): AttemptedAction {
  const isRead = method === 'GET' || method === 'HEAD';
  for (const [ruleMethod, pattern, make] of RULES) {
    if (ruleMethod !== (isRead ? 'GET' : method)) continue;
    const parts = pattern.exec(path);
    if (!parts) continue;
    return { object: null, queue: null, weight: 'change', ...make(parts.slice(1).map(decoded)) };
  }
  const [first = '', second = ''] = path.split('/');
  const about = READ[first] ?? 'page';
  return {
    action: `${about}.${isRead ? 'read' : 'change'}`,
    object: null,
    queue: first === 'queues' && second !== '' ? decoded(second) : null,
    weight: isRead ? 'look' : 'change',
  };
}

function decoded(part: string | undefined): string {
  try {
    return decodeURIComponent(part ?? '').slice(0, PART_MAX_CHARS);
  } catch {
    return (part ?? '').slice(0, PART_MAX_CHARS);
  }
}
