/** Finding and running programs. Node built-ins only: these run before anything is installed. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Every executable of that name on PATH, in PATH's order. @param {string} name @returns {string[]} */
export function allOnPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).filter(isExecutable);
}

/** @param {string} name @returns {string | undefined} */
export const which = (name) => allOnPath(name)[0];

/**
 * Runs a program to its end and returns what it printed. Its failure is one line: the last thing it complained of.
 * @param {string} command
 * @param {string[]} args
 * @param {{timeoutMs?: number, cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean}} [options]
 *   `show` lets the user watch a long download instead of a silent terminal.
 * @returns {string}
 */
export function run(command, args, { timeoutMs = 30_000, cwd, env, show = false } = {}) {
  try {
    const out = execFileSync(command, args, {
      cwd,
      env: env ?? process.env,
      encoding: 'utf8',
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: 32 * 1024 * 1024,
      // What a tool says goes to stderr, so that stdout stays one program's answer.
      stdio: ['ignore', show ? 2 : 'pipe', show ? 'inherit' : 'pipe'],
    });
    return out ?? '';
  } catch (error) {
    // The verb, not the flags or paths around it.
    const verb = args.find((arg) => /^[a-z][a-z-]*$/.test(arg));
    const name = [basename(command), verb].filter(Boolean).join(' ');
    throw new Error(`${name}: ${lastWords(error, timeoutMs)}`, { cause: error });
  }
}

/** @param {any} error @param {number} timeoutMs */
function lastWords(error, timeoutMs) {
  if (error.code === 'ETIMEDOUT') return `did not end within ${Math.round(timeoutMs / 1000)} s`;
  const lines = String(error.stderr ?? '')
    .trim()
    .split('\n')
    .filter(Boolean);
  return (
    lines.at(-1)?.replace(/\.+$/, '') ??
    (error.status != null ? `ended with code ${error.status}` : error.message)
  );
}

/**
 * Runs `program` with `args` to its end; undefined when it cannot run. @param {string} program @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function tryRun(program, args, env) {
  try {
    return run(program, args, { timeoutMs: 15_000, env });
  } catch {
    return undefined;
  }
}
