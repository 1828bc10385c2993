'use client';
import { createParser, parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { type DeadFilter, deadFilterSchema } from '@/lib/contract/dead';
import { ERROR_CLASSES } from '@/lib/contract/failures';
import { nameSchema } from '@/lib/contract/names';

/** A value that the API would refuse is no filter: it is dropped instead of breaking the page. */
const name = createParser({
  parse: (text) => nameSchema.safeParse(text).data ?? null,
  serialize: (value: string) => value,
});
const age = createParser({
  parse: (text) => deadFilterSchema.shape.minAgeMs.safeParse(text).data ?? null,
  serialize: (value: number) => String(value),
});

const PARSERS = {
  queue: name,
  type: name,
  tenant: name,
  code: name,
  class: parseAsStringLiteral(ERROR_CLASSES),
  minAgeMs: age,
  maxAgeMs: age,
  cursor: parseAsString,
  facets: parseAsBoolean.withDefault(true),
};

export interface DeadView {
  filter: DeadFilter;
  cursor: string | null;
  /** Whether the facets stand beside the list. */
  facets: boolean;
  /** Changes the filter and goes back to the first page. `undefined` takes a condition away. */
  narrow: (patch: Partial<DeadFilter>) => void;
  clear: () => void;
  setCursor: (cursor: string | null) => void;
  setFacets: (shown: boolean) => void;
}

const NO_FILTER = {
  queue: null,
  type: null,
  tenant: null,
  code: null,
  class: null,
  minAgeMs: null,
  maxAgeMs: null,
};

/** What the page shows, held by the URL. */
export function useDeadView(): DeadView {
  const [{ cursor, facets, ...values }, set] = useQueryStates(PARSERS, { history: 'push' });
  const asked = JSON.stringify(values);
  const filter = useMemo(() => {
    const given = Object.entries(JSON.parse(asked) as typeof values).filter(([, value]) => value !== null);
    return Object.fromEntries(given) as DeadFilter;
  }, [asked]);
  return {
    filter,
    cursor,
    facets,
    narrow: (patch) => {
      const changes = Object.entries(patch).map(([key, value]) => [key, value ?? null]);
      void set({ ...Object.fromEntries(changes), cursor: null });
    },
    clear: () => void set({ ...NO_FILTER, cursor: null }),
    setCursor: (next) => void set({ cursor: next }),
    setFacets: (shown) => void set({ facets: shown }, { history: 'replace' }),
  };
}
