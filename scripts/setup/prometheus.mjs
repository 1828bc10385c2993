/** Finds Prometheus and promtool for the test of dashboards and rules: on PATH, or unpacked from Debian's or Ubuntu's packages into .local/prometheus. */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isExecutable, run, which } from '../lib/run-command.mjs';
import { unpackedEnv, unpackPackages } from './debian-redis.mjs';

const DIR = join(resolve(fileURLToPath(import.meta.url), '../../..'), '.local/prometheus');

/**
 * Nothing is installed, and no system service starts.
 * @param {string} [dir] where it is unpacked when PATH has none
 * @returns {{prometheus: string, promtool: string, env: NodeJS.ProcessEnv}}
 * @throws Error that says how to install it
 */
export function findPrometheus(dir = DIR) {
  const [prometheus, promtool] = [which('prometheus'), which('promtool')];
  if (dir === DIR && prometheus && promtool) return { prometheus, promtool, env: process.env };
  const bin = (/** @type {string} */ tree, /** @type {string} */ name) => join(tree, 'usr/bin', name);
  try {
    if (!isExecutable(bin(dir, 'promtool')))
      unpackPackages(dir, ['prometheus'], (tree) => {
        for (const name of ['prometheus', 'promtool'])
          run(bin(tree, name), ['--version'], { env: unpackedEnv(tree) });
      });
  } catch (error) {
    throw new Error(
      `No Prometheus was found, and none could be unpacked: ${/** @type {Error} */ (error).message}. Install prometheus (Debian's package has promtool, too).`,
    );
  }
  return { prometheus: bin(dir, 'prometheus'), promtool: bin(dir, 'promtool'), env: unpackedEnv(dir) };
}
