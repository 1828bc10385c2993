/** What a request was about to do, in the words of the audit log: for attempts that were refused before anything said so itself. */
import type { AuditObjectKind } from '@/lib/contract/audit';
import { CLAIM_ACTIONS } from '@/lib/contract/claims';
import { JOB_ACTIONS } from '@/lib/contract/job';

export interface Attempt {
  readonly action: string;
  readonly object: { readonly kind: AuditObjectKind; readonly id: string } | null;
  readonly queue: string | null;
  /**
   * `change`: every refusal is entered. `look`: it changes nothing, so only what somebody may not do. `work`: what workers do all day,
   * with refusals that belong to it, such as a claim that was lost.
   */
  readonly weight: 'change' | 'look' | 'work';
}

type Made = Pick<Attempt, 'action'> & Partial<Attempt>;
type Rule = readonly [
  methods: string,
  path: RegExp,
  make: (parts: readonly string[], method: string) => Made,
];

const queueAttempt =
  (action: string, weight: Attempt['weight'] = 'change') =>
  ([queue = '']: readonly string[]): Made => ({
    action: `queue.${action}`,
    object: { kind: 'queue', id: queue },
    queue,
    weight,
  });
const on =
  (kind: AuditObjectKind, action: string, weight: Attempt['weight'] = 'change') =>
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
  ['POST', /^queues\/([^/]+)\/claim$/, queueAttempt('claim', 'work')],
  ['POST', /^queues\/([^/]+)\/pause$/, queueAttempt('pause')],
  ['POST', /^queues\/([^/]+)\/resume$/, queueAttempt('resume')],
  ['POST', /^queues\/([^/]+)\/drain$/, queueAttempt('drain')],
  ['POST', /^queues\/([^/]+)\/reclaim$/, queueAttempt('reclaim')],
  ['PATCH', /^queues\/([^/]+)\/config$/, queueAttempt('config')],
  ['PUT', /^queues\/([^/]+)\/sharding$/, queueAttempt('sharding')],
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
  ['POST', /^searches$/, on('search', 'search.save')],
  ['DELETE', /^searches\/([^/]+)$/, on('search', 'search.remove')],
  ['POST', /^schedules$/, on('schedule', 'schedule.create')],
  ['POST', /^schedules\/preview$/, on('schedule', 'schedule.preview', 'look')],
  ['PATCH', /^schedules\/([^/]+)$/, on('schedule', 'schedule.change')],
  ['DELETE', /^schedules\/([^/]+)$/, on('schedule', 'schedule.delete')],
  ['POST', /^schedules\/([^/]+)\/pause$/, on('schedule', 'schedule.pause')],
  ['POST', /^schedules\/([^/]+)\/resume$/, on('schedule', 'schedule.resume')],
  ['POST', /^schedules\/([^/]+)\/run$/, on('schedule', 'schedule.run')],
  // A name in the browser's own cookie, where nobody is asked who they are.
  ['PUT', /^me$/, on('person', 'person.name', 'look')],
  ['PUT', /^lab$/, on('lab', 'lab.settings')],
  ['POST', /^lab\/burst$/, on('lab', 'lab.burst')],
  ['POST', /^lab\/reclaim$/, on('lab', 'lab.reclaim')],
  ['POST', /^session(?:\/link)?$/, on('session', 'session.begin')],
  ['DELETE', /^session$/, on('session', 'session.end')],
  ['POST', /^session\/proof$/, on('session', 'session.prove')],
  ['POST', /^session\/password$/, on('person', 'person.password')],
  ['DELETE', /^access\/sessions$/, on('session', 'session.end-all')],
  ['DELETE', /^access\/sessions\/([^/]+)$/, on('session', 'session.end')],
  ['PATCH', /^access\/people\/([^/]+)$/, on('person', 'access.change')],
  ['POST', /^access\/tokens$/, on('token', 'token.create')],
  ['DELETE', /^access\/tokens\/([^/]+)$/, on('token', 'token.revoke')],
  ['GET', /^audit\/file$/, on('audit', 'audit.export', 'look')],
  ['GET', /^audit(?:\/check)?$/, on('audit', 'audit.read', 'look')],
];

const PART_MAX_CHARS = 100;
/** Objects of what is only looked at: the first part of the path says what it is about. */
const READ: Readonly<Record<string, string>> = {
  queues: 'queue',
  dead: 'job',
  operations: 'operation',
  schedules: 'schedule',
  searches: 'search',
  workers: 'worker',
  access: 'access',
  lab: 'lab',
};

/** `path`: as it was asked for, below /api/v1/. */
export function attemptOf(method: string, path: string): Attempt {
  const isRead = method === 'GET' || method === 'HEAD';
  for (const [methods, pattern, make] of RULES) {
    if (methods !== (isRead ? 'GET' : method)) continue;
    const parts = pattern.exec(path);
    if (!parts) continue;
    return { object: null, queue: null, weight: 'change', ...make(parts.slice(1).map(decoded), method) };
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
