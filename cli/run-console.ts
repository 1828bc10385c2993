/** `redrive console`: starts the built console against a Redis, and ends with it. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built console as a package; scripts/console-package.mjs makes it. */
const PACKAGE = 'redrive-console';

export interface ConsoleOptions {
  /** The folder with the built console: `dist/console`, or a clone after `npm run build`. Without it: this folder, or the package. */
  readonly folder?: string;
  /** Instead of REDIS_URL, HOST and PORT of the environment or the settings file. */
  readonly redisUrl?: string;
  readonly host?: string;
  readonly port?: string;
  /** Instead of REDRIVE_CONFIG_FILE. */
  readonly configFile?: string;
  readonly say: (line: string) => void;
}

const isBuilt = (folder: string): boolean =>
  ['.next/BUILD_ID', 'dist/server/front-server.js', 'scripts/serve.mjs'].every((file) =>
    existsSync(join(folder, file)),
  );

/** Where the installed package is: as the working folder finds it, or as this command does, with both installed by --global. */
const packageFolders = (): string[] =>
  [resolve('package.json'), fileURLToPath(import.meta.url)].flatMap((from) => {
    try {
      return [dirname(createRequire(from).resolve(`${PACKAGE}/package.json`))];
    } catch {
      return [];
    }
  });

/** @returns the exit code of the console; 1 when there is none to start */
export async function runConsole(options: ConsoleOptions): Promise<number> {
  const named = options.folder;
  const folder = (named === undefined ? ['.', ...packageFolders()] : [named]).find(isBuilt);
  if (folder === undefined) {
    options.say(
      named === undefined
        ? `There is no built console here. Install the package ${PACKAGE} of this version, or, in a clone, run: npm run build`
        : `There is no built console in ${named}. Run: npm run build`,
    );
    return 1;
  }
  const given = {
    REDIS_URL: options.redisUrl,
    ...(options.redisUrl === undefined ? {} : { REDIS_URL_FILE: '' }),
    HOST: options.host,
    PORT: options.port,
    REDRIVE_CONFIG_FILE: options.configFile,
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const child = spawn(process.execPath, [join(folder, 'scripts/serve.mjs')], {
    stdio: 'inherit',
    env: { ...process.env, ...set },
    // In a group of its own: Ctrl-C signals a whole group, and a second signal ends the console at once.
    detached: true,
  });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, pass);
  try {
    return await new Promise((end) => {
      child.once('error', (error) => {
        options.say(`The console cannot be started: ${error.message}.`);
        end(1);
      });
      child.once('exit', (code) => end(code ?? 1));
    });
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
}
