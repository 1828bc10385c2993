/** The project's own sources, for tests that hold all of them to a rule. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const TEST = /\.(test|spec)\.tsx?$/;
const GENERATED = /\.generated\.ts$/;

export interface Source {
  /** From the project's folder on. */
  readonly file: string;
  readonly text: string;
}

/** Files under these folders whose names end like this; what a script generates is left out, and so are tests unless they are asked for. */
export function sourcesIn(
  folders: readonly string[],
  { ending = /\.(tsx?|mjs|js)$/, tests = false } = {},
): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter(
        (entry) =>
          entry.isFile() &&
          ending.test(entry.name) &&
          (tests || !TEST.test(entry.name)) &&
          !GENERATED.test(entry.name) &&
          !entry.parentPath.includes('node_modules'),
      )
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return { file: relative(ROOT, path), text: readFileSync(path, 'utf8') };
      }),
  );
}

/** `file: line` wherever a line of code has this; comments do not count. */
export function linesWith(sources: readonly Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ file, text }) =>
    text
      .split('\n')
      .filter((line) => pattern.test(line) && !/^\s*(\/\/|\/?\*|--)/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
}
