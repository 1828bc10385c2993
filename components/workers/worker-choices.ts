/** Which workers a user may ask for something, and the groups to choose from; pure. */
import type { Permits } from '@/lib/browser/access/use-permissions';
import type { WorkerAction, WorkerRequestReply } from '@/lib/contract/workers/worker-requests';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { count } from '@/lib/format/plural';

/** What is left to ask of a worker in this state. */
export function offeredActions({ status, request }: Worker): readonly WorkerAction[] {
  if (status === 'draining' || request?.action === 'stop') return [];
  if (status === 'quiet') return request?.action === 'resume' ? ['quiet', 'stop'] : ['resume', 'stop'];
  return request?.action === 'quiet' ? ['resume', 'stop'] : ['quiet', 'stop'];
}

/** Why this user cannot ask the worker for anything; null: they can. */
export function askRefusal({ partial, queues, actions }: Worker, permits: Permits): string | null {
  if (partial) return 'It also serves queues that you do not have access to.';
  const missing = Object.keys(queues).find((queue) => !permits('operate', queue));
  if (missing !== undefined)
    return `This needs the permission "operate" for the whole queue ${missing}, which you do not have.`;
  return actions.length === 0
    ? 'Its version of Redrive takes no requests from the console: stop it where it runs.'
    : null;
}

export interface WorkerChoice {
  readonly value: string;
  readonly label: string;
  readonly workers: readonly Worker[];
}

/** All, then those of one queue, host or version. A group that is all of them is not offered again. */
export function workerChoices(workers: readonly Worker[]): WorkerChoice[] {
  const groups = new Map<string, { label: string; workers: Worker[] }>();
  const add = (value: string, label: string, worker: Worker) => {
    const group = groups.get(value) ?? { label, workers: [] };
    group.workers.push(worker);
    groups.set(value, group);
  };
  for (const worker of workers) {
    for (const queue of Object.keys(worker.queues)) add(`queue ${queue}`, `for ${queue}`, worker);
    add(`host ${worker.host}`, `on host ${revealHidden(worker.host)}`, worker);
    if (worker.version)
      add(`version ${worker.version}`, `of version ${revealHidden(worker.version)}`, worker);
  }
  const rest = [...groups]
    .filter(([, group]) => group.workers.length < workers.length)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, { label, workers: some }]) => ({
      value,
      label: `${count(some.length, 'worker')} ${label}`,
      workers: some,
    }));
  return [{ value: 'all', label: `All ${count(workers.length, 'worker')}`, workers }, ...rest];
}

const DONE: Readonly<Record<WorkerAction, string>> = {
  quiet: 'take no new jobs',
  resume: 'take jobs again',
  stop: 'stop',
};

/** "Asked 3 workers to stop. 1 has ended before." */
export function requestResult(action: WorkerAction, { results }: WorkerRequestReply): string {
  const of = (...outcomes: string[]) => results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const [asked, gone, unsupported, stopping] = [
    of('requested', 'unchanged'),
    of('not-alive'),
    of('unsupported'),
    action === 'stop' ? 0 : of('stopping'),
  ];
  return [
    `Asked ${count(asked, 'worker')} to ${DONE[action]}.`,
    gone > 0 && `${gone} ended before.`,
    stopping > 0 && `${stopping} stopped already.`,
    unsupported > 0 && `${unsupported} of a version that takes no requests.`,
  ]
    .filter(Boolean)
    .join(' ');
}
