/** How many live workers of a queue have a handler for a job, from what they report. Pure. */
import { createHandlerTable, findHandler, type HandledType, type HandlerTable } from './handler-table';
import type { Worker } from './worker-schemas';

export interface HandlerCoverage {
  /** Live workers of the queue that take new jobs … */
  readonly workers: number;
  /** … those of them that handle the type … */
  readonly takeType: number;
  /** … and those that handle the version, too. */
  readonly takeVersion: number;
}

/** The handlers of each worker that takes new jobs of the queue. Null: one of them does not report its handlers. */
export function tablesOfQueue(
  workers: readonly Pick<Worker, 'status' | 'queues' | 'handlers'>[],
  queue: string,
): readonly HandlerTable<HandledType>[] | null {
  const running = workers.filter(
    ({ status, queues }) => status === 'running' && Object.hasOwn(queues, queue),
  );
  return running.some(({ handlers }) => handlers.length === 0)
    ? null
    : running.map(({ handlers }) => createHandlerTable(handlers));
}

/** Null: every worker has a handler, no worker takes jobs, or it is not known. */
export function missingCoverage(
  tables: readonly HandlerTable<HandledType>[] | null,
  jobType: string,
  jobVersion: number,
): HandlerCoverage | null {
  if (!tables || tables.length === 0) return null;
  const answers = tables.map((table) => findHandler(table, jobType, jobVersion));
  const takeVersion = answers.filter((answer) => typeof answer !== 'string').length;
  if (takeVersion === tables.length) return null;
  return {
    workers: tables.length,
    takeType: answers.filter((answer) => answer !== 'unknown-type').length,
    takeVersion,
  };
}
