/** A console of its own with alerts, and a real receiver of its channels, for the tests of a file. */
import { type Browser, type BrowserContext, type Page, test } from '@playwright/test';
import { type AlertReceiver, startAlertReceiver } from '../../testing/alerts/alert-receiver';
import { type Broker, createBroker } from '../../testing/create-broker';
import { Processes } from '../../testing/worlds/processes';
import { startRealConsole } from '../../testing/worlds/real-console';
import { ANN, type E2ePerson, signIn, VERA } from '../user-pages';

export interface AlertConsole {
  readonly broker: Broker;
  readonly receiver: AlertReceiver;
  readonly url: string;
  openAs(browser: Browser, person: E2ePerson): Promise<{ context: BrowserContext; page: Page }>;
}

/** @param alerts the value of REDRIVE_ALERTS, besides what every file needs @returns the console, once the tests run */
export function setUpAlertConsole(
  name: string,
  alerts: (receiver: AlertReceiver) => object,
): () => AlertConsole {
  // Of this run: what a failed test leaves behind is not in the next one.
  const prefix = `${name}-${Date.now().toString(36)}`;
  const processes = new Processes();
  let started: AlertConsole | undefined;
  test.beforeAll(async () => {
    const redisUrl = process.env.REDRIVE_E2E_REDIS_URL ?? '';
    const receiver = await startAlertReceiver();
    const settings = { resolveAfterSeconds: 5, allowedHosts: [receiver.host], ...alerts(receiver) };
    const { url } = await startRealConsole(processes, {
      redisUrl,
      users: [ANN, VERA],
      env: { REDRIVE_PREFIX: prefix, REDRIVE_ALERTS: JSON.stringify(settings) },
      name: `the console with ${name}`,
    });
    const openAs: AlertConsole['openAs'] = async (browser, person) => {
      const storageState = await signIn(url, person);
      const context = await browser.newContext({ baseURL: url, storageState, reducedMotion: 'reduce' });
      return { context, page: await context.newPage() };
    };
    started = { broker: createBroker({ url: redisUrl, prefix }), receiver, url, openAs };
  });
  test.afterAll(async () => {
    await processes.stopAll();
    await started?.receiver.stop();
    started?.broker.close();
  });
  return () => {
    if (!started) throw new Error('The console starts with the first test.');
    return started;
  };
}
