/** A request of the console as a `redrive` command: what a dialog would send, for a runbook or a script. */
import { shellQuoted } from './curl-text';
import type { ApiWrite } from './query-defaults';

type Body = Readonly<Record<string, unknown>>;

/** Only requests that these words say completely; every other is sent by `redrive api`. */
const COMMANDS: readonly (readonly [
  pattern: RegExp,
  members: readonly string[],
  words: (found: readonly string[], body: Body) => string[],
])[] = [
  [
    /^POST \/api\/v1\/queues\/([^/]+)\/(pause|resume)$/,
    ['reason', 'scope', 'forMs'],
    ([queue = '', verb = ''], body) => [
      verb,
      queue,
      ...option('--scope', body.scope),
      ...option('--for', typeof body.forMs === 'number' ? durationWord(body.forMs) : undefined),
      ...option('--reason', body.reason),
    ],
  ],
  [
    /^POST \/api\/v1\/queues\/([^/]+)\/drain$/,
    ['reason', 'draining'],
    ([queue = ''], body) => [
      'drain',
      queue,
      ...option('--reason', body.reason),
      ...(body.draining === false ? ['--end'] : []),
    ],
  ],
  [
    /^POST \/api\/v1\/queues\/([^/]+)\/jobs\/([^/]+)\/(promote|cancel|redrive|suppress|purge|restore|remove)$/,
    ['reason'],
    ([queue = '', id = '', action = ''], body) => [
      'jobs',
      action,
      queue,
      id,
      ...option('--reason', body.reason),
    ],
  ],
  [
    /^POST \/api\/v1\/schedules\/([^/]+)\/(pause|resume|run)$/,
    ['reason'],
    ([id = '', action = ''], body) => ['schedules', action, id, ...option('--reason', body.reason)],
  ],
  [
    /^POST \/api\/v1\/workers\/requests$/,
    ['action', 'workers', 'reason'],
    (_, { action, workers, reason }) => [
      'workers',
      String(action),
      ...(Array.isArray(workers) ? workers.map(String) : []),
      ...option('--reason', reason),
    ],
  ],
  [
    /^POST \/api\/v1\/operations\/([^/]+)\/(pause|resume|cancel|approve|reject)$/,
    ['reason'],
    ([id = '', action = ''], body) => ['operations', action, id, ...option('--reason', body.reason)],
  ],
  [
    /^POST \/api\/v1\/alerts\/([^/]+)\/acknowledge$/,
    ['note'],
    ([id = ''], body) => ['alerts', 'acknowledge', id, ...option('--note', body.note)],
  ],
  [
    /^POST \/api\/v1\/alerts\/silences$/,
    ['code', 'queue', 'reason', 'forMs'],
    (_, body) => [
      'alerts',
      'silence',
      ...option('--code', body.code),
      ...option('--queue', body.queue),
      ...option('--for', typeof body.forMs === 'number' ? durationWord(body.forMs) : undefined),
      ...option('--reason', body.reason),
    ],
  ],
  [/^DELETE \/api\/v1\/alerts\/silences\/([^/]+)$/, [], ([id = '']) => ['alerts', 'unsilence', id]],
  [
    /^DELETE \/api\/v1\/alerts\/channels\/([^/]+)$/,
    ['reason'],
    ([name = ''], body) => ['alerts', 'channels', 'remove', name, ...option('--reason', body.reason)],
  ],
  [/^POST \/api\/v1\/alerts\/channels\/([^/]+)\/test$/, [], ([name = '']) => ['alerts', 'test', name]],
];

const durationWord = (ms: number): string => (ms % 60_000 === 0 ? `${ms / 60_000}m` : `${ms}ms`);

/** Joined by `=`, so that no value is taken for another option. */
export const option = (name: string, value: unknown): string[] =>
  value === undefined ? [] : [`${name}=${String(value)}`];

/** Words as a shell takes them. */
export const shellLine = (words: readonly string[]): string => words.map(plain).join(' ');
const plain = (word: string): string => (/^[\w./:@=-]+$/.test(word) ? word : shellQuoted(word));

/** The idempotency key is written out, so that the command run twice changes things once. Address and API token are the shell's. */
export function redriveText(
  { method, path, body }: ApiWrite,
  { idempotencyKey }: { idempotencyKey: string },
): string {
  const given = (body ?? {}) as Body;
  const said = (members: readonly string[]) => Object.keys(given).every((name) => members.includes(name));
  const [found] = COMMANDS.flatMap(([pattern, members, words]) => {
    const parts = said(members) ? pattern.exec(`${method} ${path}`) : null;
    return parts ? [words(parts.slice(1).map(decodeURIComponent), given)] : [];
  });
  const words = found ?? ['api', method, path, `--data=${JSON.stringify(given)}`];
  return shellLine(['redrive', ...words, `--idempotency-key=${idempotencyKey}`]);
}
