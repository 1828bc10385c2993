/** Real processes for tests. Nothing outlives the test file: what is left is killed at its end, whatever failed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startChild } from '@/scripts/lib/children.mjs';
import { freePort } from '@/scripts/lib/free-ports.mjs';
import { until } from '../poll';

/** A port of the loopback interface that nothing listens on right now. */
export const portFree: () => Promise<number> = freePort;

/** For tests of the built console: says what to do instead of failing at each of them. */
export function requireBuild(): void {
  const built = existsSync(join(import.meta.dirname, '../../.next/BUILD_ID'));
  if (!built) throw new Error('There is no build: run npm run build first.');
}

interface SpawnOptions {
  name?: string;
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** Opens an ipc channel, as the demo does for its worker. */
  ipc?: boolean;
}

export interface Spawned extends Child {
  /** What it has printed so far, on stdout and stderr alike. */
  output(): string;
  /** Waits until its output matches: 60 s unless told, since processes that start at once on a busy machine take their time. */
  prints(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** Signals the process alone, as a crash would; its children live on. */
  kill(signal?: NodeJS.Signals): void;
}

/** Whether a process with this id exists. A zombie does: it has ended, but its parent has not looked yet. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Starts processes and ends them all. One a test file: `afterAll(() => processes.stopAll())`. */
export class Processes {
  readonly #all: Spawned[] = [];

  spawn(command: string, args: string[], { name, cwd, env, ipc }: SpawnOptions = {}): Spawned {
    const stdio = ipc ? (['ignore', 'pipe', 'pipe', 'ipc'] as const) : (['ignore', 'pipe', 'pipe'] as const);
    const child = startChild(command, args, {
      name,
      cwd,
      env: { ...process.env, ...env },
      stdio: [...stdio],
    });
    let text = '';
    for (const stream of [child.process.stdout, child.process.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
    const spawned: Spawned = {
      ...child,
      output: () => text,
      prints: (pattern, timeoutMs = 60_000) =>
        until(() => pattern.exec(text), { timeoutMs, what: `${child.name} to print ${pattern}` }).catch(
          (error: Error) => {
            throw new Error(`${error.message} It printed:\n${text}`);
          },
        ),
      kill: (signal = 'SIGKILL') => {
        child.process.kill(signal);
      },
    };
    this.#all.push(spawned);
    return spawned;
  }

  /** A Node script, run by the Node that runs the tests. */
  node(args: string[], options: SpawnOptions = {}): Spawned {
    return this.spawn(process.execPath, args, { name: args.at(-1), ...options });
  }

  async stopAll(graceMs = 1_000): Promise<void> {
    await Promise.all(this.#all.splice(0).map((child) => child.stop({ graceMs })));
  }
}
