/** Every page of the console, and what shows that its own first data is there. */
import { links } from '@/lib/browser/links';

export interface ConsolePage {
  readonly name: string;
  readonly path: string;
  /** CSS selector of its first row, number or control; a placeholder does not count. */
  readonly data: string;
  /** Opened without a session. */
  readonly isPublic?: boolean;
}

const ROW = 'main tbody tr:not([aria-hidden])';
/** The title of "nothing here yet" is an answer, too. */
const ROW_OR_NONE = `${ROW}, main p.font-medium.text-fg`;
const FACT = 'main dl dd';

/** Names of what the pages are about; the pages of an operation and of a route are left out unless one is named. */
interface Places {
  readonly queue: string;
  readonly jobId: string;
  readonly operation?: string;
  readonly route?: string;
}

/** Paths of all pages that need a session. */
export const consolePaths = (places: Places): string[] =>
  consolePages(places)
    .filter(({ isPublic }) => !isPublic)
    .map(({ path }) => path);

export function consolePages({ queue, jobId, operation, route }: Places): ConsolePage[] {
  return [
    { name: 'overview', path: links.overview(), data: 'main tbody tr[data-queue]' },
    { name: 'queue', path: links.queue(queue), data: 'main nav[aria-label="States of this queue"] li' },
    {
      name: 'settings of a queue',
      path: links.queueSettings(queue),
      data: 'main section[aria-label^="Settings of"] input',
    },
    { name: 'job', path: links.job(queue, jobId), data: FACT },
    { name: 'dead letters', path: links.dead(), data: ROW_OR_NONE },
    { name: 'dead letters as rows', path: links.dead('', 'rows'), data: ROW_OR_NONE },
    { name: 'operations', path: links.operations(), data: ROW_OR_NONE },
    ...(operation ? [{ name: 'operation', path: links.operation(operation), data: FACT }] : []),
    { name: 'schedules', path: links.schedules(), data: ROW_OR_NONE },
    {
      name: 'alerts',
      path: links.alerts(),
      data: 'main li[data-alert], main p.font-medium.text-fg',
    },
    { name: 'channels of alerts', path: links.alerts({ tab: 'channels' }), data: ROW_OR_NONE },
    {
      name: 'workers',
      path: links.workers(),
      data: 'main article[aria-label^="Worker "], main p.font-medium.text-fg',
    },
    { name: 'Redis', path: links.redis(), data: ROW },
    { name: 'API reference', path: links.apiReference(), data: ROW },
    ...(route ? [{ name: 'route of the API', path: links.apiRoute(route), data: FACT }] : []),
    { name: 'lab', path: links.lab(), data: 'main fieldset input[type=range]' },
    { name: 'access', path: links.access(), data: ROW },
    { name: 'audit log', path: links.audit(), data: ROW_OR_NONE },
    { name: 'sign-in', path: '/sign-in?signed-out', data: 'input[type=password]', isPublic: true },
  ];
}
