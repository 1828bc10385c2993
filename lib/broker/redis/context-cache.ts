import type { BrokerContext } from './broker-context';

interface ContextValue<T> {
  of(ctx: BrokerContext): T;
  /** The next `of` makes a new one: for caches of data that are lost. */
  forget(ctx: BrokerContext): void;
}

/** One value per broker, made when it is first asked for and gone with the broker. */
export function perContext<T>(create: () => T): ContextValue<T> {
  const values = new WeakMap<BrokerContext, { readonly value: T }>();
  return {
    of(ctx) {
      let entry = values.get(ctx);
      if (!entry) {
        entry = { value: create() };
        values.set(ctx, entry);
      }
      return entry.value;
    },
    forget: (ctx) => {
      values.delete(ctx);
    },
  };
}
