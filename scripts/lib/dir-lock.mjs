/**
 * One owner for a data directory. Two Redis servers appending to one file would corrupt it, and Redis itself does not
 * look. A lock of a dead process is taken over, so a crash never needs a hand to clear it.
 */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * When a living process started, as the system tells it: a reused process id does not pass for the old one.
 * @param {number} pid @returns {string | undefined}
 */
export function startTime(pid) {
  try {
    // The fields after the name, which itself may hold spaces and brackets: state first, start time twentieth.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    if (process.platform === 'linux') return undefined;
    try {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
        encoding: 'utf8',
        timeout: 5_000,
      }).trim();
    } catch {
      return undefined;
    }
  }
}

/** The holders of a lock that still live. @param {string} text @returns {number[]} */
function livingOwners(text) {
  try {
    /** @type {{pid: number, started?: string}[]} */
    const owners = JSON.parse(text);
    return owners.filter(({ pid, started }) => started && startTime(pid) === started).map(({ pid }) => pid);
  } catch {
    return [];
  }
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} dir @param {number} pid */
const inUse = (dir, pid) =>
  new Error(
    `${dir} is in use by process ${pid}: another Redrive runs on it. Stop that one first (kill ${pid}).`,
  );

/**
 * Throws a sentence that names the process when the directory is in use.
 * @param {string} dir
 * @returns {{share(pid: number): void, release(): void}} `share` names a second process (the Redis server) that holds it
 */
export function lockDir(dir) {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, 'redrive.lock');
  const draft = `${path}.${process.pid}`;
  const owners = [{ pid: process.pid, started: startTime(process.pid) }];
  const drafted = () => writeFileSync(draft, JSON.stringify(owners));

  drafted();
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        // A hard link appears whole or not at all, and fails when the name exists.
        linkSync(draft, path);
        break;
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST' || attempt >= 5) throw error;
      }
      const seen = read(path);
      if (seen === undefined) continue;
      const [owner] = livingOwners(seen);
      if (owner) throw inUse(dir, owner);
      takeAway(path, seen);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    share(pid) {
      owners.push({ pid, started: startTime(pid) });
      drafted();
      renameSync(draft, path);
    },
    release: () => rmSync(path, { force: true }),
  };
}

/**
 * Whether only a server is left of an owner that died: it is on its way out too, so waiting a moment is worth it.
 * @param {string} dir
 */
export function isOrphaned(dir) {
  const text = read(join(dir, 'redrive.lock'));
  return (
    text !== undefined && livingOwners(text).length > 0 && livingOwners(text)[0] !== JSON.parse(text)[0].pid
  );
}

/** Removes a stale lock, unless someone was faster and it is theirs by now. @param {string} path @param {string} seen */
function takeAway(path, seen) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
    if (read(aside) !== seen) linkSync(aside, path);
  } catch {
    // Gone, or already replaced: the next attempt sees which.
  }
  rmSync(aside, { force: true });
}
