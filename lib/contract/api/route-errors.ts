/** The errors that a route may answer with: those that follow from what it takes, and those it names itself. */
import { ERROR_TABLE, type ErrorCode } from '../redrive-error';
import type { RouteDescription } from './describe-route';

/** Whatever is asked: the border in front of all routes, and Redis behind them. */
const ALWAYS: readonly ErrorCode[] = [
  'HOST_REFUSED',
  'CROSS_ORIGIN',
  'RATE_LIMITED',
  'INTERNAL',
  'REDIS_UNAVAILABLE',
  'REDIS_UNSAFE',
  'DATA_NEWER',
  'UNKNOWN_OUTCOME',
];
const OF_BODY: readonly ErrorCode[] = ['VALIDATION', 'BAD_JSON', 'WRONG_MEDIA_TYPE', 'BODY_TOO_LARGE'];
/** Of what stands in the address. */
const OF_PATH: readonly (readonly [part: string, code: ErrorCode])[] = [
  ['{queue}', 'QUEUE_NOT_FOUND'],
  ['/jobs/{id}', 'JOB_NOT_FOUND'],
  ['{group}', 'GROUP_NOT_FOUND'],
  ['/searches/{id}', 'SEARCH_NOT_FOUND'],
  ['/operations/{id}', 'OPERATION_NOT_FOUND'],
  ['/schedules/{id}', 'SCHEDULE_NOT_FOUND'],
  ['/alerts/{id}', 'ALERT_NOT_FOUND'],
  ['/silences/{id}', 'SILENCE_NOT_FOUND'],
  ['/channels/{name}', 'CHANNEL_NOT_FOUND'],
  ['/users/{id}', 'USER_NOT_FOUND'],
  ['/sessions/{id}', 'SESSION_NOT_FOUND'],
  ['/tokens/{id}', 'TOKEN_NOT_FOUND'],
  // Without the lab its addresses do not exist.
  ['/lab', 'NOT_FOUND'],
];
const NEED_IDENTITY: ReadonlySet<string> = new Set(['destroy', 'access']);

/** In the order of the error table. */
export function routeErrors(route: RouteDescription): readonly ErrorCode[] {
  const { method, path, permission, params, query, body, errors = [] } = route;
  const codes = new Set<ErrorCode>([...ALWAYS, ...errors]);
  const add = (more: readonly ErrorCode[], when: boolean) => {
    if (when) for (const code of more) codes.add(code);
  };
  add(['UNAUTHENTICATED', 'FORBIDDEN'], permission !== 'public');
  add(['REAUTHENTICATION_REQUIRED'], NEED_IDENTITY.has(permission));
  add(['VALIDATION'], params !== undefined || query !== undefined);
  add(OF_BODY, body !== undefined);
  for (const [part, code] of OF_PATH) add([code], path.includes(part));
  add(['VALIDATION', 'REDIS_FULL'], method !== 'GET');
  return (Object.keys(ERROR_TABLE) as ErrorCode[]).filter((code) => codes.has(code));
}
