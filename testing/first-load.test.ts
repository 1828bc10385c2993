/**
 * What a page's first script may not hold: libraries that only dialogs, forms, charts and checks of replies need. They are loaded after the
 * page. What built pages weigh stands in docs/benchmarks.md.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const LATER = [
  'zod',
  'react-hook-form',
  'sonner',
  'recharts',
  'diff',
  'lucide-react',
  'tailwind-merge',
  'radix-ui',
  // `lazyPart` does what is needed of it.
  'next/dynamic',
  // The query language.
  'lib/contract/search/query/parse-query.ts',
];
/** Values only: type imports are erased, and `import()` is what makes a script of its own. */
const IMPORT =
  /^(?:import|export) (?!type )(?:\w+(?:, )?)?(?:\{([^}]*)\}|\* as \w+|\*)?(?: from )?'([^']+)'/gm;

interface Import {
  readonly names: readonly string[];
  readonly from: string;
}
const known = new Map<string, readonly Import[]>();

function importsOf(file: string): readonly Import[] {
  const imports =
    known.get(file) ??
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)].flatMap(([, list, from = '']) => {
      const names = (list ?? 'default')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '));
      return names.length > 0 ? [{ names, from: fileOf(file, from) ?? from }] : [];
    });
  known.set(file, imports);
  return imports;
}

function fileOf(importer: string, from: string): string | null {
  const base = from.startsWith('@/')
    ? from.slice(2)
    : from.startsWith('.')
      ? relative(ROOT, join(ROOT, importer, '..', from))
      : null;
  if (base === null) return null;
  return (
    [`${base}.ts`, `${base}.tsx`, `${base}/index.ts`].find((file) => existsSync(join(ROOT, file))) ?? null
  );
}

/** Every file that the roots import, directly or not, with the file that imports it. */
function reachOf(
  roots: readonly string[],
  stopAt: (file: string) => boolean = () => false,
): Map<string, string> {
  const reach = new Map(roots.map((root) => [root, root]));
  for (const file of reach.keys())
    if (!stopAt(file))
      for (const { from } of importsOf(file))
        if (!reach.has(from) && existsSync(join(ROOT, from)) && /\.tsx?$/.test(from)) reach.set(from, file);
  return reach;
}

const isOfBrowser = (file: string) => readFileSync(join(ROOT, file), 'utf8').startsWith("'use client'");

const PAGES = readdirSync(join(ROOT, 'app'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?:page|layout|loading|error|not-found)\.tsx$/.test(file))
  .map((file) => `app/${file}`);

it.each(PAGES)('%s begins without what it needs later', (page) => {
  const roots = [...reachOf([page], isOfBrowser).keys()].filter(isOfBrowser);
  const found = [...reachOf(roots)].flatMap(([file, importer]) =>
    importsOf(file)
      .filter(({ from }) => LATER.includes(from))
      .map(({ from }) => `${from}: by ${file}, which ${importer} imports`),
  );
  expect(found).toEqual([]);
});

it('every page of the console was looked at', () => {
  expect(PAGES.length).toBeGreaterThan(12);
  expect(reachOf(['app/(console)/layout.tsx'], isOfBrowser).has('app/(console)/app-frame.tsx')).toBe(true);
});
