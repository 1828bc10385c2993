/** Schemas of replies, loaded beside the first request: zod would be a quarter of the script that a page loads at first. */
import type { z } from 'zod';

type Contract = typeof import('./reply-contract');

export interface LazySchema<S extends z.ZodType = z.ZodType> {
  load(): Promise<S>;
}
/** What a request takes: the schema, or the way to it. */
export type ReplySchema<S extends z.ZodType = z.ZodType> = S | LazySchema<S>;

let contract: Promise<Contract> | null = null;

function loadContract(): Promise<Contract> {
  contract ??= import('./reply-contract');
  // A later request may find the console again.
  contract.catch(() => {
    contract = null;
  });
  return contract;
}

/** The contract's schema of this name. */
export const reply = <Name extends keyof Contract>(name: Name): LazySchema<Contract[Name]> => ({
  load: async () => (await loadContract())[name],
});

export const schemaOf = async <S extends z.ZodType>(schema: ReplySchema<S>): Promise<S> =>
  'load' in schema ? schema.load() : schema;
