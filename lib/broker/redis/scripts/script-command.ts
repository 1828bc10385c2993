/**
 * EVALSHA with keys that are encoded once for each script and queue: names of keys were most of what a single call wrote. Its deadline
 * is one of a list with one timer, instead of a timer a call.
 */
import { Cluster, Command, Redis } from 'ioredis';
import { slotOf } from '../cluster-nodes';
import { COMMAND_TIMEOUT_MS, type RedisConnection } from '../redis-connection';
import { isCluster } from '../server-check';
import { DeadlineList } from './deadline-list';

export type Arg = string | number | Buffer;

const encode = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

/** The keys of a script, by name and as the protocol writes them behind their number. */
export class ScriptKeys {
  readonly encoded: string;
  #slot: number | undefined;

  constructor(readonly names: readonly string[]) {
    this.encoded = encode(String(names.length)) + names.map(encode).join('');
  }
  /** The slot of a Cluster; without keys any will do. */
  get slot(): number {
    this.#slot ??= slotOf(this.names[0] ?? '');
    return this.#slot;
  }
}

class ScriptCommand extends Command {
  readonly #sha: string;
  readonly #keys: ScriptKeys;
  #hasDeadline = false;

  constructor(sha: string, keys: ScriptKeys, args: Arg[], replyEncoding: BufferEncoding | null) {
    super('EVALSHA', args, { replyEncoding });
    this.#sha = sha;
    this.#keys = keys;
  }
  override getKeys(): string[] {
    return [...this.#keys.names];
  }
  override getSlot(): number {
    return this.#keys.slot;
  }
  override setTimeout(ms: number): void {
    if (this.#hasDeadline) return;
    this.#hasDeadline = true;
    deadlinesOf(ms).add(this);
  }
  setPatient(): void {
    this.#hasDeadline = true;
  }
  override toWritable(): string | Buffer {
    const { args } = this;
    let text = `*${3 + this.#keys.names.length + args.length}\r\n$7\r\nEVALSHA\r\n$40\r\n${this.#sha}\r\n${this.#keys.encoded}`;
    let parts: Buffer[] | undefined;
    for (const arg of args) {
      if (Buffer.isBuffer(arg)) {
        parts ??= [];
        parts.push(Buffer.from(`${text}$${arg.length}\r\n`), arg);
        text = '\r\n';
      } else text += encode(String(arg));
    }
    return parts ? Buffer.concat([...parts, Buffer.from(text)]) : text;
  }
}

const deadlines = new Map<number, DeadlineList>();
function deadlinesOf(ms: number): DeadlineList {
  const list = deadlines.get(ms) ?? new DeadlineList(ms);
  deadlines.set(ms, list);
  return list;
}

/**
 * Runs a script that the server knows.
 * @param isPatient no deadline: it stands in line behind a call that blocks, and ends with it or with the connection
 * @throws the errors of ioredis, among them NOSCRIPT
 */
export function sendScript(
  redis: RedisConnection,
  sha: string,
  keys: ScriptKeys,
  args: Arg[],
  asBuffer: boolean,
  isPatient = false,
): Promise<unknown> {
  const command = new ScriptCommand(sha, keys, args, asBuffer ? null : 'utf8');
  // A server's connection sets its own deadline, if it has one.
  if (isPatient) command.setPatient();
  else if (isCluster(redis) || typeof redis.options.commandTimeout !== 'number')
    command.setTimeout(COMMAND_TIMEOUT_MS);
  redis.sendCommand(command);
  return command.promise;
}

/** A caller's connection of another ioredis, or with a prefix for keys, makes its own commands. */
export const takesCommands = (redis: RedisConnection): boolean =>
  (redis instanceof Redis || redis instanceof Cluster) && !redis.options.keyPrefix;
