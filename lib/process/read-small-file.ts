import { readFileSync, statSync } from 'node:fs';

/**
 * The text of a file of settings or secrets. A pipe is refused: reading one stops the whole process until somebody writes to it.
 * @throws Error with a `code`: of the system, or why the file is not read
 */
export function readSmallFile(path: string, maxBytes: number): string {
  const stat = statSync(path);
  if (!stat.isFile()) throw unfit('not a regular file');
  if (stat.size > maxBytes) throw unfit(`larger than ${maxBytes} bytes`);
  return readFileSync(path, 'utf8');
}

const unfit = (code: string): Error => Object.assign(new Error(code), { code });
