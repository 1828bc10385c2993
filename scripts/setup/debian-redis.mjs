/**
 * Unpacks Debian's or Ubuntu's own packages, such as Redis, into a folder: no root, no system service, nothing installed. apt gets
 * private state and cache folders, so it neither needs nor touches the system's.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { run, tryRun } from '../lib/run-command.mjs';

const SERVER_PACKAGES = ['redis-server', 'redis-tools'];
const TRIPLETS = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

/** Where the unpacked server is. @param {string} root */
export const unpackedServer = (root) => join(root, 'usr/bin/redis-server');

/** The environment it needs to find the libraries unpacked with it. @param {string} root @returns {NodeJS.ProcessEnv} */
export function unpackedEnv(root) {
  const triplet = /** @type {Record<string, string>} */ (TRIPLETS)[process.arch];
  const folders = triplet ? [join(root, 'usr/lib', triplet), join(root, 'lib', triplet)] : [];
  const inherited = (process.env.LD_LIBRARY_PATH ?? '').split(':').filter((f) => f && !folders.includes(f));
  return { ...process.env, LD_LIBRARY_PATH: [...folders, ...inherited].join(':') };
}

/**
 * @param {string} root becomes the unpacked tree, whole or not at all
 * @param {{status?: string}} [options] `status`: the list of installed packages to resolve against, for tests
 */
export function unpackRedis(root, options) {
  const finish = (/** @type {string} */ tree) => {
    // One binary serves under several names; the package's own link may be absolute.
    const server = unpackedServer(tree);
    if (!existsSync(server)) {
      rmSync(server, { force: true });
      symlinkSync('redis-check-rdb', server);
    }
    run(server, ['--version'], { env: unpackedEnv(tree) });
  };
  unpackPackages(root, SERVER_PACKAGES, finish, options);
}

/**
 * @param {string} root becomes the unpacked tree, whole or not at all
 * @param {string[]} packages the first is what is wanted; what this machine lacks of its dependencies comes along
 * @param {(tree: string) => void} finish makes the tree usable, or throws
 * @param {{status?: string}} [options]
 */
export function unpackPackages(root, packages, finish, { status = '/var/lib/dpkg/status' } = {}) {
  const draft = `${root}.${process.pid}`;
  const tree = join(draft, 'tree');
  const debs = join(draft, 'debs');
  for (const folder of ['state/lists/partial', 'cache/archives/partial', 'tree', 'debs'])
    mkdirSync(join(draft, folder), { recursive: true });
  const apt = [
    `Dir::State=${draft}/state`,
    `Dir::State::status=${status}`,
    `Dir::Cache=${draft}/cache`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
    'Acquire::Retries=2',
    'Acquire::http::Timeout=30',
  ].flatMap((option) => ['-o', option]);

  try {
    run('apt-get', ['-q', ...apt, 'update'], { timeoutMs: 180_000 });
    // What this very machine lacks. apt refuses to plan while the system's own packages are in disorder; then the
    // server's packages alone have to do, and its first start tells whether they did.
    const plan =
      tryRun('apt-get', [...apt, '--simulate', '--no-install-recommends', 'install', packages[0] ?? '']) ??
      '';
    const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? '');
    const wanted = [...new Set([...packages, ...missing])];
    run('apt-get', ['-q', ...apt, 'download', ...wanted], { cwd: debs, timeoutMs: 180_000 });
    for (const deb of readdirSync(debs)) run('dpkg', ['-x', join(debs, deb), tree], { timeoutMs: 60_000 });
    finish(tree);
    rmSync(root, { recursive: true, force: true });
    renameSync(tree, root);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
