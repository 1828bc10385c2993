/** Reads `.env` for the scripts, as Next does for the console. What the shell says wins over the file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string} text @returns {Record<string, string>} */
export function parseEnv(text) {
  /** @type {Record<string, string>} */
  const values = {};
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^#]*?))\s*(?:#.*)?$/.exec(
      line,
    );
    if (match?.[1]) values[match[1]] = match[2] ?? match[3] ?? match[4] ?? '';
  }
  return values;
}

/**
 * Next would read the file once more, and take every `$` in it for a variable: in hashes, passwords and addresses of a Redis. Told that it
 * has done so already, it leaves them alone.
 * @param {string} root
 */
export function loadEnv(root) {
  process.env.__NEXT_PROCESSED_ENV = 'true';
  let text = '';
  try {
    text = readFileSync(join(root, '.env'), 'utf8');
  } catch {
    return;
  }
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}

/** PORT and HOST, checked. @returns {{host: string, port: number}} */
export function listenAddress() {
  const host = process.env.HOST || '127.0.0.1';
  const text = process.env.PORT || '3000';
  const port = Number(text);
  if (!/^[A-Za-z0-9.:[\]-]{1,255}$/.test(host))
    throw new Error(`HOST must be a name or an address, such as 127.0.0.1 or 0.0.0.0, not "${host}".`);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`PORT must be a number from 1 to 65535, not "${text}".`);
  return { host, port };
}
