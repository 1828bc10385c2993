/** Labels, limits and other constants reach the browser without zod: their files import none, directly or through others. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const HERE = 'lib/contract';
/** Values only: type imports are erased. */
const IMPORT = /^(?:import|export) (?!type )(?:\{([^}]*)\}|\* )[^;]*?from '([^']+)'/gm;

const resolved = (from: string, specifier: string): string | null => {
  const base = specifier.startsWith('@/')
    ? specifier.slice(2)
    : specifier.startsWith('.')
      ? relative(ROOT, join(ROOT, from, '..', specifier))
      : null;
  return base === null
    ? null
    : ([`${base}.ts`, `${base}.tsx`, `${base}/index.ts`].find((file) => existsSync(join(ROOT, file))) ??
        null);
};

function valuesOf(file: string): { names: string[]; specifier: string }[] {
  return [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)].flatMap(([, list, specifier = '']) => {
    const names = (list ?? '*')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '));
    return names.length > 0 ? [{ names, specifier }] : [];
  });
}

function loadsZod(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  return valuesOf(file).some(({ specifier }) => {
    const next = resolved(file, specifier);
    return specifier === 'zod' || (next !== null && loadsZod(next, seen));
  });
}

it.each([
  'access/access-labels',
  'access/access-limits',
  'access/action-permissions',
  'access/grant-scopes',
  'api-paths',
  'audit/audit-objects',
  'jobs/error-classes',
  'jobs/job-actions',
  'jobs/job-limits',
  'jobs/job-states',
  'jobs/retry-policy',
  'lab/lab-drills',
  'lab/lab-settings',
  'redrive-error',
  'name-pattern',
  'operations/operation-kinds',
  'operations/operation-effects',
  'operations/operation-text',
  'queues/queue-config-default',
  'queues/queue-limits',
  'redaction/redaction-default',
  'schedules/schedule-limits',
  'search/search-limits',
  'search/query/index',
  'workers/worker-limits',
])('%s', (name) => expect(loadsZod(`${HERE}/${name}.ts`)).toBe(false));

it('no constant of the screens comes from a file with schemas', () => {
  const screens = ['components', 'lib/browser'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => `${folder}/${file}`),
  );
  const found = screens
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) =>
      valuesOf(file).flatMap(({ names, specifier }) => {
        const from = resolved(file, specifier);
        const constants = names.filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name));
        return from?.startsWith(HERE) && constants.length > 0 && loadsZod(from)
          ? [`${file}: ${constants.join(', ')} of ${from}`]
          : [];
      }),
    );
  expect(screens.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
