/**
 * Makes `instanceof` true for objects of another copy of the package: an application may load two, and each has classes of its own.
 * Subclasses that an application makes are told apart as usual.
 */
export function brand(ofClass: abstract new (...args: never) => unknown, name: string): void {
  const mark = Symbol.for(`redrive.${name}`);
  Object.defineProperty(ofClass.prototype, mark, { value: true });
  Object.defineProperty(ofClass, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this === ofClass) return typeof value === 'object' && value !== null && mark in value;
      return Function.prototype[Symbol.hasInstance].call(this, value);
    },
  });
}
