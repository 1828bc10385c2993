/** Finds the jq that examples of the documentation need: on PATH, or unpacked from Debian's or Ubuntu's packages into .local/jq. */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isExecutable, run, which } from '../lib/run-command.mjs';
import { unpackedEnv, unpackPackages } from './debian-redis.mjs';

const DIR = join(resolve(fileURLToPath(import.meta.url), '../../..'), '.local/jq');

/**
 * @param {string} [dir] where it is unpacked when PATH has none
 * @returns {NodeJS.ProcessEnv} an environment in which `jq` runs
 * @throws Error that says how to install it
 */
export function envWithJq(dir = DIR) {
  if (dir === DIR && which('jq')) return process.env;
  const bin = (/** @type {string} */ tree) => join(tree, 'usr/bin');
  try {
    if (!isExecutable(join(bin(dir), 'jq')))
      unpackPackages(dir, ['jq'], (tree) => {
        run(join(bin(tree), 'jq'), ['--version'], { env: unpackedEnv(tree) });
      });
  } catch (error) {
    throw new Error(
      `No jq was found, and none could be unpacked: ${/** @type {Error} */ (error).message}. Install jq.`,
    );
  }
  return { ...unpackedEnv(dir), PATH: `${bin(dir)}:${process.env.PATH ?? ''}` };
}
