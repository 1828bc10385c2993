/** Reads `.env` for the scripts, as Next does for the console. What the shell sets wins over the file; an empty variable sets nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOST_OF_A_SHELL } from './free-ports.mjs';

const LINE = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^#]*?))\s*(?:#.*)?$/;

/**
 * @param {string} text
 * @returns {{values: Record<string, string>, wrongLines: number[]}} the lines, from 1, that are neither a setting nor a comment
 */
export function parseEnv(text) {
  /** @type {Record<string, string>} */
  const values = {};
  /** @type {number[]} */
  const wrongLines = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const match = LINE.exec(line);
    if (match?.[1]) values[match[1]] = match[2] ?? match[3] ?? match[4] ?? '';
    else if (!/^\s*(?:#|$)/.test(line)) wrongLines.push(index + 1);
  }
  return { values, wrongLines };
}

/**
 * Reads the settings of REDRIVE_CONFIG_FILE, or else of `.env`, which need not exist. Next would read `.env` once more, and take every `$` in it
 * for a variable: in hashes, passwords and addresses of a Redis. Told that it has done so already, it leaves them alone. A file that cannot
 * be used ends the process with a sentence.
 * @param {string} root
 */
export function loadEnvOrExit(root) {
  process.env.__NEXT_PROCESSED_ENV = 'true';
  const named = process.env.REDRIVE_CONFIG_FILE;
  const path = named || join(root, '.env');
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (named) refuse(`REDRIVE_CONFIG_FILE ${path} cannot be read (${/** @type {any} */ (error).code}).`);
    return;
  }
  const { values, wrongLines } = parseEnv(text);
  if (wrongLines.length > 0)
    refuse(
      ...wrongLines
        .slice(0, 20)
        .map((line) => `Line ${line} of ${path} is not a setting: write NAME=value, on one line.`),
    );
  // An empty variable sets nothing, and must not hide the line of the file.
  for (const [name, value] of Object.entries(values)) if (!process.env[name]) process.env[name] = value;
}

/** @param {string[]} sentences */
function refuse(...sentences) {
  for (const sentence of sentences) console.error(sentence);
  process.exit(1);
}

/** PORT and HOST, checked. @returns {{host: string, port: number}} */
export function listenAddress() {
  const host = process.env.HOST || '127.0.0.1';
  const text = process.env.PORT || '3000';
  const port = Number(text);
  if (!/^[A-Za-z0-9.:[\]-]{1,255}$/.test(host))
    throw new Error(
      `HOST must be a name or an address, such as 127.0.0.1 or 0.0.0.0, not "${host}". ${HOST_OF_A_SHELL}`,
    );
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`PORT must be a number from 1 to 65535, not "${text}".`);
  return { host, port };
}
