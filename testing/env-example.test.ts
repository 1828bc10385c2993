/** Whoever sets up Redrive finds every variable it reads in `.env.example`, and nothing there that it does not read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sourcesIn } from './project-files';

/** Of the operating system, of terminals, of Node and of Next.js. */
const FOREIGN = new Set([
  'PATH',
  'USER',
  'LD_LIBRARY_PATH',
  'NODE_ENV',
  'NO_COLOR',
  'DEBUG',
  'NEXT_RUNTIME',
  'NEXT_TELEMETRY_DISABLED',
]);
/** `env.NAME`, `environment.NAME`, a field of a schema that parses the environment, or a variable of OpenTelemetry in quotes. */
const READ =
  /\b(?:env|environment)\.([A-Z][A-Z0-9_]+)\b|^ {2,4}((?:[A-Z]+_[A-Z0-9_]+)|AUTH|HOST|PORT): (?:z|amount|jsonOf)\b|'(OTEL_[A-Z_]+)'/gm;

const names = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, ...found]) => found.find(Boolean) ?? '');
const read = new Set(
  sourcesIn(['lib/server', 'lib/tracing', 'cli', 'worker', 'scripts', 'app'])
    .flatMap(({ text }) => names(text, READ))
    .filter((name) => !FOREIGN.has(name)),
);
const example = new Set(
  names(readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8'), /^#?([A-Z][A-Z0-9_]+)=/gm),
);

it('.env.example has every variable that is read', () => {
  expect(read.size).toBeGreaterThan(25);
  expect([...read].filter((name) => !example.has(name))).toEqual([]);
});

it('.env.example has no variable that nothing reads', () => {
  expect([...example].filter((name) => !read.has(name))).toEqual([]);
});
