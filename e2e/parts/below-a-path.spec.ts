/** The console below a path of a host: each page, light and dark, behind a proxy that passes the path on and behind a proxy that takes it off. */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { createBroker } from '../../testing/create-broker';
import { consolePages } from '../../testing/pages/console-pages';
import { Processes, portFree } from '../../testing/worlds/processes';
import { startRealConsole } from '../../testing/worlds/real-console';
import { ANN, usersJson } from '../user-pages';

const PATH = '/ops/redrive';
const QUEUE = 'mail';
const JOB = 'later';
const processes = new Processes();
const stops: (() => void)[] = [];
test.afterAll(async () => {
  for (const stop of stops) stop();
  await processes.stopAll();
});

/** Answers below PATH only; `strangers` are the addresses that a page wanted elsewhere. */
async function startProxy(port: number, target: () => number, takesPathOff: boolean, strangers: string[]) {
  const forward = (request: IncomingMessage, response: ServerResponse) => {
    const { url = '/', method, headers } = request;
    const rest = url.slice(PATH.length);
    if (!url.startsWith(PATH) || !/^($|[/?])/.test(rest)) {
      // The browser's own idea.
      if (url !== '/favicon.ico') strangers.push(url);
      response.writeHead(404).end();
      return;
    }
    const path = takesPathOff ? `/${rest.replace(/^\//, '')}` : url;
    const asked = httpRequest({ host: '127.0.0.1', port: target(), path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    response.on('close', () => asked.destroy());
    request.pipe(asked);
  };
  const proxy = createServer(forward);
  stops.push(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
}

async function start(takesPathOff: boolean) {
  const redisUrl = process.env.REDRIVE_E2E_REDIS_URL ?? '';
  const prefix = `path-${takesPathOff}-${Date.now().toString(36)}`;
  const broker = createBroker({ url: redisUrl, prefix });
  await broker.enqueue(QUEUE, { jobId: JOB, jobType: 'email.send', delayMs: 86_400_000 });
  broker.close();
  const port = await portFree();
  const strangers: string[] = [];
  let consolePort = 0;
  await startProxy(port, () => consolePort, takesPathOff, strangers);
  const url = `http://127.0.0.1:${port}${PATH}`;
  const running = await startRealConsole(processes, {
    redisUrl,
    env: {
      REDRIVE_PREFIX: prefix,
      REDRIVE_LAB: 'on',
      AUTH: 'local',
      REDRIVE_USERS: await usersJson([ANN]),
      PUBLIC_URL: url,
    },
    name: 'the console below a path',
  });
  consolePort = running.port;
  return { url, strangers };
}

async function signIn(page: Page, url: string) {
  await page.goto(`${url}/queues/${QUEUE}`);
  await expect(page).toHaveURL(`${url}/sign-in?next=%2Fqueues%2F${QUEUE}`);
  await page.getByLabel('Name').fill(ANN.name);
  await page.getByLabel('Password', { exact: true }).fill(ANN.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`${url}/queues/${QUEUE}`);
}

const cookiesOf = async (context: BrowserContext) =>
  (await context.cookies()).map(({ name, path }) => ({ name, path }));

for (const takesPathOff of [false, true])
  test(`below a path, behind a proxy that ${takesPathOff ? 'takes it off' : 'passes it on'}`, async ({
    browser,
  }) => {
    const { url, strangers } = await start(takesPathOff);
    const context = await browser.newContext();
    const page = await context.newPage();
    const failures: string[] = [];
    page.on('pageerror', ({ message }) => failures.push(message));
    page.on('response', (answer) => {
      if (answer.status() >= 400 && answer.url().includes('/_next/'))
        failures.push(`${answer.status()} ${answer.url()}`);
    });

    await signIn(page, url);
    // Beside the cookie of a console at the root, which the browser sends here, too.
    expect(await cookiesOf(context)).toContainEqual({ name: 'redrive.ops.redrive', path: PATH });
    await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible({ timeout: 60_000 });

    // From click to Redis and back over the event stream.
    await page.getByRole('button', { name: 'Pause…' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('below a path');
    await page.getByRole('button', { name: 'Pause queue' }).click();
    await expect(page.getByRole('region', { name: 'Pauses' })).toContainText('below a path');

    // A link of the page, the browser's own way back, and the finder.
    await page.getByRole('link', { name: 'Workers' }).first().click();
    await expect(page).toHaveURL(`${url}/workers`);
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`^${url}/queues/${QUEUE}`));

    const pages = consolePages({ queue: QUEUE, jobId: JOB }).filter(({ isPublic }) => !isPublic);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const { name, path, data } of pages)
        await test.step(`${name}, ${colorScheme}`, async () => {
          await page.goto(`${url}${path}`);
          await expect(page.locator(data).first()).toBeVisible({ timeout: 30_000 });
        });
    }

    await page.goto(`${url}/nothing-here`);
    await expect(page.getByRole('heading', { name: 'There is nothing at this address' })).toBeVisible();

    const openApi = await page.request.get(`${url}/api/v1/openapi.json`);
    expect(((await openApi.json()) as { servers: unknown }).servers).toEqual([{ url: PATH }]);
    expect(strangers).toEqual([]);
    expect(failures).toEqual([]);
    await context.close();
  });
