/** The file that a setting names: read again whenever it changed, so that what is rotated in it holds without a restart. */
import { statSync } from 'node:fs';
import { log } from './console-log';

interface Known<T> {
  /** The result of `stat`: while it stays the same, the file is not read again. */
  readonly print: string;
  /** The last that could be used; null: none yet. */
  readonly value: T | null;
  /** The last logged message, so that it is not logged with every use. */
  readonly warned: string | null;
}

export class LiveFile<T> {
  private known: Known<T> | null = null;

  /**
   * @param read the content, or an Error with a sentence for operators
   * @param holds what holds while the file cannot be used, as a sentence; null: nothing was read yet
   */
  constructor(
    private readonly read: (path: string) => T,
    private readonly sentenceOf: (error: unknown) => string,
    private readonly holds: (value: T | null) => string,
  ) {}

  /** Of now, or the last that could be used, which the log says once; null: there was none. */
  current(path: string): T | null {
    let print = `${path} none`;
    try {
      print = printOf(path);
      if (this.known?.print === print) return this.known.value;
      this.known = { print, value: this.read(path), warned: null };
    } catch (error) {
      const message = this.sentenceOf(error);
      const value = this.known?.value ?? null;
      if (this.known?.warned !== message) log().error(`${message} ${this.holds(value)}`);
      this.known = { print, value, warned: message };
    }
    return this.known.value;
  }
}

/** With the time of its last change of any kind, mode and owner included. */
function printOf(path: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return [path, dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
