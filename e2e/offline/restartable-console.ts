/** A console that goes away and comes back, with one queue and a page of ann. */
import { type Browser, type Page, test } from '@playwright/test';
import { createBroker } from '../../testing/create-broker';
import { Processes } from '../../testing/worlds/processes';
import { startRealConsole } from '../../testing/worlds/real-console';
import { ANN, signIn, usersJson } from '../user-pages';

export const QUEUE = 'mail';

export interface RestartableConsole {
  readonly url: string;
  readonly page: Page;
  kill(): void;
  /** At the same address. */
  restart(): Promise<void>;
}

/** Once in a file. @returns starts the console and opens a page, which is still empty */
export function setUpRestartableConsole(name: string): (browser: Browser) => Promise<RestartableConsole> {
  const processes = new Processes();
  test.afterAll(() => processes.stopAll());
  return async (browser) => {
    const redisUrl = process.env.REDRIVE_E2E_REDIS_URL ?? '';
    const prefix = `${name}-${Date.now().toString(36)}`;
    const broker = createBroker({ url: redisUrl, prefix });
    await broker.enqueue(QUEUE, { jobId: 'later', jobType: 'email.send', delayMs: 86_400_000 });
    broker.close();
    // The same hash after the second start: with another one her session would end.
    const env = { REDRIVE_PREFIX: prefix, AUTH: 'local', REDRIVE_USERS: await usersJson([ANN]) };
    const start = (port?: number) =>
      startRealConsole(processes, {
        redisUrl,
        env,
        name: 'the console that goes away',
        ...(port ? { port } : {}),
      });
    const { url, port, process: first } = await start();
    const context = await browser.newContext({ baseURL: url, storageState: await signIn(url, ANN) });
    return {
      url,
      page: await context.newPage(),
      kill: () => first.kill(),
      restart: async () => {
        await start(port);
      },
    };
  };
}
