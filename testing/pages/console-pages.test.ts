import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { consolePages } from './console-pages';

const APP = join(import.meta.dirname, '../../app');
/** Without data of their own: the end of a sign-in, and addresses without a page. */
const OTHERS = ['/signed-in', '/[...rest]'];

/** `/queues/[queue]` for `(console)/queues/[queue]/page.tsx`. */
const addressOf = (file: string): string =>
  `/${file
    .split('/')
    .slice(0, -1)
    .filter((part) => !part.startsWith('('))
    .join('/')}`;

function isPathOf(path: string, address: string): boolean {
  const [parts, wanted] = [path.split('?')[0]?.split('/') ?? [], address.split('/')];
  return (
    parts.length === wanted.length &&
    wanted.every((part, i) => part === parts[i] || (part.startsWith('[') && parts[i] !== ''))
  );
}

it('every page of the app has its first data', () => {
  const addresses = readdirSync(APP, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('page.tsx'))
    .map(addressOf)
    .filter((address) => !OTHERS.includes(address));
  const pages = consolePages({ queue: 'mail', jobId: 'j1', operation: 'o1', route: 'listQueues' });
  expect(addresses.length).toBeGreaterThan(12);
  expect(addresses.filter((address) => !pages.some(({ path }) => isPathOf(path, address)))).toEqual([]);
  expect(pages.filter(({ path }) => !addresses.some((address) => isPathOf(path, address)))).toEqual([]);
});
