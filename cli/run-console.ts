/** `redrive console`: starts the built console against a Redis, and ends with it. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface ConsoleOptions {
  /** The folder with the built console: `dist/console`, or a clone of the project after `npm run build`. */
  readonly folder: string;
  /** Instead of REDIS_URL, HOST and PORT of the environment or the settings file. */
  readonly redisUrl?: string;
  readonly host?: string;
  readonly port?: string;
  /** Instead of REDRIVE_CONFIG_FILE. */
  readonly configFile?: string;
  readonly say: (line: string) => void;
}

/** @returns the exit code of the console; 1 when there is none to start */
export async function runConsole(options: ConsoleOptions): Promise<number> {
  const script = join(options.folder, 'scripts/serve.mjs');
  if (
    !['.next/BUILD_ID', 'dist/server/front-server.js'].every((file) => existsSync(join(options.folder, file)))
  ) {
    options.say(`There is no built console in ${options.folder}. Run: npm run build`);
    return 1;
  }
  const given = {
    REDIS_URL: options.redisUrl,
    HOST: options.host,
    PORT: options.port,
    REDRIVE_CONFIG_FILE: options.configFile,
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const child = spawn(process.execPath, [script], {
    stdio: 'inherit',
    env: { ...process.env, ...set },
    // In a group of its own: Ctrl-C signals a whole group, and a second signal ends the console at once.
    detached: true,
  });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, pass);
  try {
    return await new Promise((resolve) => {
      child.once('error', (error) => {
        options.say(`The console cannot be started: ${error.message}.`);
        resolve(1);
      });
      child.once('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
}
