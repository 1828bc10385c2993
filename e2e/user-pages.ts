/** Who uses the console in the browser tests. Their passwords are nowhere else. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import { expect, type Page } from '@playwright/test';
import type { Grant } from '../lib/contract/access/grant-scopes';
import { paths } from '../lib/contract/api-paths';

export interface E2ePerson {
  readonly name: string;
  readonly password: string;
  readonly grants: readonly Partial<Grant>[];
}

export const ANN: E2ePerson = {
  name: 'ann',
  password: 'seven quiet herons at dusk',
  grants: [{ role: 'admin' }],
};
export const BOB: E2ePerson = {
  name: 'bob',
  password: 'a ladder behind the mill',
  grants: [{ role: 'operator' }],
};
export const VERA: E2ePerson = {
  name: 'vera',
  password: 'cold soup on the balcony',
  grants: [{ role: 'viewer' }],
};
/** Whose rights the tests take away and give back: nobody else's test uses him. */
export const CARL: E2ePerson = {
  name: 'carl',
  password: 'eleven maps of one river',
  grants: [{ role: 'operator' }],
};
export const PEOPLE: readonly E2ePerson[] = [ANN, BOB, VERA, CARL];

/** The value of REDRIVE_USERS. As cheap as is accepted: it is the console that is tested, and not how long a hash takes. */
export async function usersJson(people: readonly E2ePerson[] = PEOPLE): Promise<string> {
  const cheap = { memoryCost: 4_096, timeCost: 1, parallelism: 1 };
  const users = people.map(async ({ name, password, grants }) => ({
    // Made up by hand, so that tests can say it.
    id: name,
    name,
    hash: await hash(password, cheap),
    grants,
  }));
  return JSON.stringify({ users: await Promise.all(users) });
}

/** What Playwright's `storageState` is: the cookie of a session. */
export interface SignedIn {
  cookies: {
    name: string;
    value: string;
    domain: string;
    path: string;
    expires: number;
    httpOnly: boolean;
    secure: boolean;
    sameSite: 'Strict';
  }[];
  origins: never[];
}

/** Signs in over HTTP, as the page does. */
export async function signIn(url: string, { name, password }: E2ePerson): Promise<SignedIn> {
  const answer = await fetch(`${url}${paths.session()}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password }),
    signal: AbortSignal.timeout(20_000),
  });
  const set = answer.headers.get('set-cookie') ?? '';
  const [, cookie, value] = /^([^=]+)=([^;]+)/.exec(set) ?? [];
  if (!cookie || !value) throw new Error(`${name} was not let in: ${answer.status} ${await answer.text()}`);
  const rest = { path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Strict' } as const;
  return { cookies: [{ name: cookie, value, domain: new URL(url).hostname, ...rest }], origins: [] };
}

/** Written once by the setup, read by the tests: `browser.newContext({ storageState: stateOf(BOB) })`. */
export const stateOf = ({ name }: E2ePerson): string =>
  join(process.env.REDRIVE_E2E_STATES ?? '', `${name}.json`);

/** `folder` becomes REDRIVE_E2E_STATES of the Playwright worker that uses this stack. */
export const keepState = (folder: string, { name }: E2ePerson, state: SignedIn): void =>
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(state), { mode: 0o600 });

/** For what is no browser. */
export const cookieOf = (person: E2ePerson): string => {
  const [cookie] = (JSON.parse(readFileSync(stateOf(person), 'utf8')) as SignedIn).cookies;
  return `${cookie?.name}=${cookie?.value}`;
};

/** Clicks again until it is open: a page that was come to by a redirect may not have its scripts yet. */
export async function openAccountMenu(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('menu');
  await expect(async () => {
    if (!(await menu.isVisible())) await page.getByRole('button', { name: `You are ${name}` }).click();
    await expect(menu).toContainText(name, { timeout: 3_000 });
  }).toPass({ timeout: 60_000 });
}
