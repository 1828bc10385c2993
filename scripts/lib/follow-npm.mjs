/**
 * npm runs a script as npm → sh → node. A SIGTERM to npm ends npm and the shell, and the signal never reaches us: we would
 * be left running with no process to stop it. So a script that keeps running watches whether those two are still there.
 */
import { readFileSync } from 'node:fs';

/** @param {number} pid @returns {{name: string, parent: number} | undefined} undefined where there is no /proc */
function look(pid) {
  try {
    const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return { name, parent: Number(rest.split(' ')[1]) };
  } catch {
    return undefined;
  }
}

/** Our parent, and npm above it when the parent is npm's shell. */
function elders() {
  const parent = process.ppid;
  const shell = look(parent);
  return shell && /^(sh|dash|bash|ash|busybox)$/.test(shell.name) ? `${parent} ${shell.parent}` : `${parent}`;
}

/**
 * @param {string} script our name in package.json: without npm, or as a child of another script, nothing is watched
 * @param {() => void} gone called once
 */
export function followNpm(script, gone) {
  if (process.env.npm_lifecycle_event !== script) return;
  const first = elders();
  const timer = setInterval(() => {
    if (elders() === first) return;
    clearInterval(timer);
    gone();
  }, 250);
  timer.unref();
}
