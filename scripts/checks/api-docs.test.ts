/** Addresses of the API and variables that the documentation names: each exists. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { API } from '@/lib/contract/api';
import { type Source, sourcesIn } from '@/testing/project-files';

const ROOT = join(import.meta.dirname, '../..');
const pages: Source[] = [
  ...sourcesIn(['docs', 'examples'], { ending: /\.md$/ }),
  ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md']
    .filter((file) => existsSync(join(ROOT, file)))
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') })),
];
/** `file: name` for each match. */
const named = (pattern: RegExp) =>
  pages.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([name]) => ({ file, name })));

const PARAMETER = /^(?::\w+|<[\w ]+>|\{\w+\}|\[\w+\]|…)$/;
/** Whether a path is that of a route; a value may stand for a parameter, and a whole group may be named by its beginning. */
const isRoute = (path: string): boolean => {
  const parts = path.replace(/[/.,*…]+$/, '').split('/');
  return Object.values(API).some((route) => {
    const own = route.path.split('/');
    return (
      parts.length <= own.length &&
      parts.every(
        (part, i) => part === own[i] || (own[i]?.startsWith('{') && (PARAMETER.test(part) || part !== '')),
      )
    );
  });
};

it('addresses of the API', () => {
  const paths = named(/(?<!app)\/api\/v1\/[\w/:<>{}.\-…]*/g);
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter(({ name }) => !isRoute(name))).toEqual([]);
});

it('an address that is none is seen', () => {
  expect(isRoute('/api/v1/queues/:queue/pause')).toBe(true);
  expect(isRoute('/api/v1/queues/mail/pausing')).toBe(false);
  expect(isRoute('/api/v1/deads')).toBe(false);
});

it('variables', () => {
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const known = new Set([...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name));
  const variables = named(/\b(?:REDRIVE|OIDC|REDIS)_[A-Z][A-Z0-9_]*\b/g).filter(
    // Codes of errors, not variables.
    ({ name }) => !/^REDIS_(?:UNAVAILABLE|UNSAFE|FULL)$/.test(name),
  );
  expect(variables.length).toBeGreaterThan(40);
  expect(variables.filter(({ name }) => !known.has(name))).toEqual([]);
});
