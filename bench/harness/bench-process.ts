/** The harness's end: a process under measurement, asked with deadlines, and gone when the measure is over. */
import { describeExit, startChild } from '@/scripts/lib/children.mjs';
import { within } from '@/scripts/lib/deadline.mjs';
import type { Ask, Progress, Told } from './bench-child';

const START_MS = 20_000;
const LEAVE_MS = 10_000;
const OUTPUT_MAX_CHARS = 4_000;

export interface BenchProcess {
  readonly name: string;
  readonly pid: number;
  ask<T>(call: string, args?: object, deadlineMs?: number): Promise<T>;
  /** What it told last. */
  progress(): Progress;
  /** Called with each progress told. */
  onProgress(listener: () => void): void;
  /** The first thing that went wrong where nobody waited for it, or its unexpected end. */
  trouble(): string | null;
  /** SIGKILL; resolves when its parent, that is we, saw it die. */
  kill(): Promise<void>;
  /** Lets it leave by itself. */
  leave(): Promise<void>;
}

const NOTHING: Progress = { started: 0, lastStartedAtMs: 0, done: 0, lastDoneAtMs: 0 };

export async function startProcess(
  name: string,
  file: string,
  nodeArgs: readonly string[] = [],
): Promise<BenchProcess> {
  const child = startChild(process.execPath, [...nodeArgs, file], {
    name,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.process.stdout, child.process.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-OUTPUT_MAX_CHARS);
    });
  let progress = NOTHING;
  let trouble: string | null = null;
  let leaving = false;
  let asked = 0;
  const waiting = new Map<number, (reply: { value?: unknown; error?: string }) => void>();
  const listeners: (() => void)[] = [];
  let markReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });

  child.process.on('message', (message) => {
    const told = message as Told;
    if (told.type === 'ready') markReady();
    else if (told.type === 'reply') waiting.get(told.id)?.(told);
    else if (told.type === 'trouble') trouble ??= leaving ? null : told.error;
    else {
      progress = told.progress;
      for (const listener of listeners) listener();
    }
  });
  void child.exited.then((exit) => {
    if (!leaving) trouble ??= `${name} ${describeExit(exit)}. It said:\n${output}`;
    for (const settle of waiting.values()) settle({ error: trouble ?? `${name} has left.` });
    markReady();
  });

  const bench: BenchProcess = {
    name,
    pid: child.pid,
    async ask<T>(call: string, args: object = {}, deadlineMs = 60_000) {
      const id = asked++;
      const reply = new Promise<{ value?: unknown; error?: string }>((resolve) => {
        waiting.set(id, resolve);
      });
      const question: Ask = { id, call, args };
      if (child.process.connected) child.process.send(question, () => undefined);
      else waiting.get(id)?.({ error: trouble ?? `${name} is gone.` });
      try {
        const { value, error } = await within(reply, deadlineMs, `${name} to answer ${call}`);
        if (error !== undefined) throw new Error(`${name}, ${call}: ${error}`);
        return value as T;
      } catch (error) {
        // The reason nobody waited for is mostly why nothing was answered.
        throw trouble === null ? error : new Error(`${name}: ${trouble}`, { cause: error });
      } finally {
        waiting.delete(id);
      }
    },
    progress: () => progress,
    onProgress: (listener) => void listeners.push(listener),
    trouble: () => trouble,
    async kill() {
      leaving = true;
      child.process.kill('SIGKILL');
      await within(child.exited, LEAVE_MS, `${name} to die`);
    },
    async leave() {
      leaving = true;
      if (child.process.connected) child.process.disconnect();
      await within(child.exited, LEAVE_MS, `${name} to leave`).catch(() => undefined);
      await child.stop();
    },
  };
  try {
    await within(ready, START_MS, `${name} to start`);
    if (trouble !== null) throw new Error(trouble);
    return bench;
  } catch (error) {
    await bench.leave();
    throw error;
  }
}
