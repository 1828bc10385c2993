/**
 * Child processes that never outlive us.
 *
 * Each child leads a process group of its own, so Ctrl-C in a terminal reaches only us and we stop our children in the
 * order that loses nothing; and the whole group can be ended, grandchildren included. A tiny shell, the reaper, holds a
 * pipe from us: when we die without a chance to clean up (SIGKILL, out of memory) the pipe closes and it ends them all.
 */
import { spawn } from 'node:child_process';
import { within } from './deadline.mjs';

const REAPER = `
trap '' HUP INT TERM
live=
while read -r op id; do
  rest=
  for x in $live; do [ "$x" = "$id" ] || rest="$rest $x"; done
  [ "$op" = add ] && rest="$rest $id"
  live=$rest
done
[ -n "$live" ] || exit 0
for x in $live; do kill -TERM "-$x" 2>/dev/null; done
sleep 3
for x in $live; do kill -KILL "-$x" 2>/dev/null; done
`;

/** @type {import('node:child_process').ChildProcess | undefined} */
let reaper;

/** @param {'add' | 'drop'} op @param {number} pid */
function tellReaper(op, pid) {
  if (!reaper) {
    reaper = spawn('/bin/sh', ['-c', REAPER], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    reaper.on('error', () => {});
    reaper.stdin?.on('error', () => {});
    // It must not keep us alive: it exists for when we are gone.
    reaper.unref();
    /** @type {any} */ (reaper.stdin)?.unref?.();
  }
  reaper.stdin?.write(`${op} ${pid}\n`);
}

/** Signals a whole process group; false when no process is left in it. @param {number} pid @param {NodeJS.Signals} signal */
export function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * @typedef {{code: number | null, signal: NodeJS.Signals | null, error?: Error}} Exit
 * @typedef {object} Child
 * @property {string} name
 * @property {number} pid 0 when it could not be started at all
 * @property {import('node:child_process').ChildProcess} process
 * @property {Promise<Exit>} exited never rejects
 * @property {() => boolean} running
 * @property {(options?: {graceMs?: number}) => Promise<Exit>} stop SIGTERM, then SIGKILL to the whole group
 */

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{name?: string, cwd?: string, env?: Record<string, string | undefined>, stdio?: import('node:child_process').StdioOptions, sweep?: boolean, uid?: number, gid?: number}} [options]
 *   `sweep`: whether its own children are killed as soon as it ends. Tests that watch orphans leave that to `stop`. `uid`, `gid`: run it as another user.
 * @returns {Child}
 */
export function startChild(command, args, options = {}) {
  const { name = command, cwd, env = process.env, stdio = 'inherit', sweep = true, uid, gid } = options;
  const child = spawn(command, args, { cwd, env, stdio, detached: true, uid, gid });
  const pid = child.pid ?? 0;
  if (pid) tellReaper('add', pid);
  let swept = pid === 0;
  const sweepGroup = () => {
    if (swept) return;
    swept = true;
    killGroup(pid, 'SIGKILL');
    tellReaper('drop', pid);
  };

  /** @type {Promise<Exit>} */
  const exited = new Promise((resolve) => {
    child.once('error', (error) => pid || resolve({ code: null, signal: null, error }));
    child.once('exit', (code, signal) => {
      if (sweep) sweepGroup();
      resolve({ code, signal });
    });
  });
  const running = () => pid > 0 && child.exitCode === null && child.signalCode === null;

  return {
    name,
    pid,
    process: child,
    exited,
    running,
    async stop({ graceMs = 3_000 } = {}) {
      if (running()) child.kill('SIGTERM');
      try {
        return await within(exited, graceMs, `${name} to stop`);
      } catch {
        killGroup(pid, 'SIGKILL');
        return await within(exited, 5_000, `${name} to die`);
      } finally {
        sweepGroup();
      }
    },
  };
}

/** How a child ended, as the end of a sentence. @param {Exit} exit */
export function describeExit({ code, signal, error }) {
  if (error) return `could not be started (${error.message})`;
  return signal ? `was ended by ${signal}` : `ended with code ${code}`;
}
