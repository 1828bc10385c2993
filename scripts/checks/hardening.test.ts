/** What must stay out of the project for good, whoever adds it: each line is a hole that others had. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import nextConfig from '@/next.config.js';

const ROOT = join(import.meta.dirname, '../..');
const config = nextConfig('phase-production-server');

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.(tsx?|mjs|js)$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name));
}
const SHIPPED = ['app', 'components', 'lib', 'worker'].flatMap(sources);

function using(pattern: RegExp, files = SHIPPED): string[] {
  return files
    .filter((file) => pattern.test(readFileSync(file, 'utf8')))
    .map((file) => file.slice(ROOT.length + 1));
}

describe('S1: nothing is put into a page but as text', () => {
  it.each([
    // But for a script of the console's own, which takes no input.
    [
      'dangerouslySetInnerHTML',
      /dangerouslySetInnerHTML(?!=\{\{ __html: `\(\$\{rememberPress\}\)\(\)` \}\})/,
    ],
    [
      'innerHTML and its like',
      /\.(innerHTML|outerHTML)\s*=|insertAdjacentHTML|document\.write|createContextualFragment/,
    ],
    ['code out of text', /\beval\(|new Function\(|setTimeout\(\s*['"`]/],
  ])('%s', (_, pattern) => expect(using(pattern)).toEqual([]));
});

describe('S12, S13, S14: the framework decides nothing about access', () => {
  it('no server actions', () => expect(using(/^\s*['"]use server['"]/m)).toEqual([]));

  it('no middleware: who may do what is asked where the data is', () => {
    const atRoot = readdirSync(ROOT).filter((name) => /^(middleware|proxy)\./.test(name));
    expect(atRoot).toEqual([]);
  });

  it('no rewrites, no redirects to elsewhere, no image service, no source maps for browsers', () => {
    expect(Object.keys(config)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(rewrites|redirects|productionBrowserSourceMaps)$/)]),
    );
    expect(config).toMatchObject({ poweredByHeader: false, images: { unoptimized: true } });
    expect(using(/from 'next\/image'/)).toEqual([]);
  });
});

/** The first versions without the holes we know of. Raise them with each advisory; never lower them. */
const AT_LEAST: Record<string, string> = { next: '16.4.5', react: '19.3.1', 'react-dom': '19.3.1' };

describe('S13: versions', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string }>;
  };
  it.each(Object.entries(AT_LEAST))('%s is at least %s, wherever it is installed', (name, floor) => {
    const installed = Object.entries(lock.packages).filter(
      ([path]) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`),
    );
    expect(installed.length).toBeGreaterThan(0);
    for (const [path, { version = '0' }] of installed)
      expect(isAtLeast(version, floor), `${path} ${version}`).toBe(true);
  });

  it('react’s server packages come with next, and not beside it', () => {
    expect(Object.keys(lock.packages).filter((path) => path.includes('react-server-dom'))).toEqual([]);
  });

  it.each([
    ['16.4.5', '16.4.5', true],
    ['16.10.0', '16.4.5', true],
    ['17.0.0', '16.4.5', true],
    ['16.4.4', '16.4.5', false],
    ['9.99.99', '16.4.5', false],
    // What comes before a version may lack what mended it.
    ['16.4.5-canary.1', '16.4.5', false],
  ])('%s against %s', (version, floor, enough) => expect(isAtLeast(version, floor)).toBe(enough));
});

function isAtLeast(version: string, floor: string): boolean {
  const [given = [], least = []] = [version, floor].map(
    (text) => text.split('-')[0]?.split('.').map(Number) ?? [],
  );
  for (const [i, want] of least.entries()) {
    const have = given[i] ?? 0;
    if (have !== want) return have > want;
  }
  return !version.includes('-');
}
