/** What each call of a script costs Redis, as processor time beside that of a script of constant work: a busy machine slows both. */
import { Command, Redis } from 'ioredis';
import { SCRIPTS, type ScriptName } from '@/lib/broker/lua.generated';

/** On the machine of docs/benchmarks.md it takes one millisecond. */
const CONSTANT_WORK = `for i = 1, 450 do
redis.call('HSET', KEYS[1], 'f' .. i % 50, i)
redis.call('ZADD', KEYS[2], i, 'f' .. i % 50)
end`;
const NAMES = new Map(
  (Object.keys(SCRIPTS) as ScriptName[]).map((name) => [SCRIPTS[name].sha as string, name]),
);
const SHA = /\$40\r\n([0-9a-f]{40})/;

export interface ScriptCost {
  readonly name: ScriptName;
  readonly us: number;
}

/** A connection that asks for the server's processor time before and after each script. Nothing else may use the server. */
export class MeteredRedis extends Redis {
  readonly costs: Promise<ScriptCost>[] = [];

  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    const name = command.name.toLowerCase() === 'evalsha' ? this.#nameOf(command) : undefined;
    if (!name) return super.sendCommand(command, stream);
    const before = this.#cpuUs();
    const reply = super.sendCommand(command, stream);
    const after = this.#cpuUs();
    this.costs.push(Promise.all([before, after]).then(([from, to]) => ({ name, us: to - from })));
    return reply;
  }

  /** Processor time of constant work right now, in µs. */
  async constantUs(): Promise<number> {
    const before = this.#cpuUs();
    const work = super.sendCommand(new Command('EVAL', [CONSTANT_WORK, 2, 'constant:h', 'constant:z']));
    const after = this.#cpuUs();
    await work;
    return (await after) - (await before);
  }

  async taken(): Promise<ScriptCost[]> {
    return Promise.all(this.costs.splice(0));
  }

  #nameOf(command: Command): ScriptName | undefined {
    const text = command.toWritable({}).slice(0, 80).toString();
    return NAMES.get(SHA.exec(text)?.[1] ?? '');
  }
  async #cpuUs(): Promise<number> {
    const text = (await super.sendCommand(new Command('INFO', ['cpu'], { replyEncoding: 'utf8' }))) as string;
    const parts = text.matchAll(/^used_cpu_(?:sys|user)_main_thread:([\d.]+)/gm);
    return [...parts].reduce((sum, [, seconds]) => sum + Number(seconds), 0) * 1e6;
  }
}
