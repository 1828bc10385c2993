import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readSmallFile } from './read-small-file';

const dir = mkdtempSync(join(tmpdir(), 'redrive-files-'));
afterAll(() => rmSync(dir, { recursive: true }));

it('reads a file within its bound', () => {
  writeFileSync(join(dir, 'key'), 'secret\n');
  expect(readSmallFile(join(dir, 'key'), 7)).toBe('secret\n');
});

it('refuses what is too large, no file, or not there, without waiting', () => {
  const codeOf = (name: string) => {
    try {
      return readSmallFile(join(dir, name), 7);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
  };
  writeFileSync(join(dir, 'large'), 'too large');
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  expect(['large', 'pipe', '.', 'none'].map(codeOf)).toEqual([
    'larger than 7 bytes',
    'not a regular file',
    'not a regular file',
    'ENOENT',
  ]);
});
