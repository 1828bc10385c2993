/** A Chromium under measurement, with contexts of signed-in users. */
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { browserArgs, findBrowser } from '@/scripts/setup/browser.mjs';

const VIEWPORT = { width: 1_440, height: 900 };

export function launchBrowser(): Promise<Browser> {
  const { path: executablePath } = findBrowser();
  return chromium.launch({ executablePath, args: browserArgs(executablePath) });
}

/** As a browser that was just installed: nothing is cached. @param cookie of a session, `name=value`; null: signed out */
export async function openContext(
  browser: Browser,
  url: string,
  cookie: string | null,
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, viewport: VIEWPORT });
  if (cookie !== null) {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url }]);
  }
  return context;
}
