/** What hostile texts must not do to a page: run, load, or grow it. */
import { type BrowserContext, expect, type Page } from '@playwright/test';

/** Watches all pages of a context for what must not happen. */
export async function watch(context: BrowserContext) {
  const found: string[] = [];
  const note = (where: string, what: string) => found.push(`${where}: ${what}`);
  await context.exposeBinding('reportViolation', ({ page }, what: string) => note(page.url(), what));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      (window as unknown as { reportViolation(what: string): void }).reportViolation(
        `${violatedDirective} stopped ${blockedURI} of ${sourceFile}`,
      ),
    );
  });
  context.on('dialog', (dialog) => {
    note(dialog.page()?.url() ?? '', `a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    if (new URL(request.url()).hostname.endsWith('evil.example')) note('a request', request.url());
  });
  context.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) note('the console', message.text());
  });
  return found;
}

/** What the page would have grown by, had it taken any of the texts for more than text. */
export const grown = (page: Page) =>
  page.evaluate(() => [
    ...[...document.querySelectorAll('[data-xss], x-attack, base, object, embed, iframe')].map(
      (e) => e.outerHTML,
    ),
    // Where anything leads or loads from.
    ...[...document.querySelectorAll('[href], [src], [action]')]
      .flatMap((e) => ['href', 'src', 'action'].flatMap((name) => e.getAttribute(name) ?? []))
      .filter(
        (url) => !url.startsWith('data:image/') && new URL(url, location.href).origin !== location.origin,
      ),
    ...('polluted' in {} ? ['Object.prototype'] : []),
  ]);

/** The status it was answered with. */
export async function visit(
  page: Page,
  path: string,
  found: string[],
  origin = process.env.REDRIVE_E2E_URL,
): Promise<number | undefined> {
  const answer = await page.goto(path);
  const isPage = answer?.headers()['content-type']?.startsWith('text/html');
  // Who is signed in is led on at once, and only ever to this console.
  if (path.startsWith('/sign-in')) await page.waitForURL((url) => url.pathname !== '/sign-in');
  expect(new URL(page.url()).origin, path).toBe(origin);
  if (isPage) {
    // A dialog that the address opens hides it from the roles.
    await expect(page.locator('h1').first()).toBeVisible();
    await expect(page.locator('[data-slot=skeleton]')).toHaveCount(0);
  }
  expect(await grown(page), path).toEqual([]);
  expect(found, path).toEqual([]);
  return answer?.status();
}
