/**
 * One idempotency key an intent. Asking the same thing again after no answer came repeats the key, so a write that did
 * arrive is not made twice. The intent ends with an answer, or when something else is asked.
 */
export interface Intent {
  keyFor(input: unknown): string;
  end(): void;
}

export function createIntent(makeKey: () => string = newKey): Intent {
  let open: { asked: string; key: string } | null = null;
  return {
    keyFor(input) {
      const asked = JSON.stringify(input) ?? '';
      if (open?.asked !== asked) open = { asked, key: makeKey() };
      return open.key;
    },
    end() {
      open = null;
    },
  };
}

/** `crypto.randomUUID` exists only in secure contexts; a console on plain http:// in a LAN is none. */
export function newKey(
  source: Pick<Crypto, 'getRandomValues'> & { randomUUID?: () => string } = crypto,
): string {
  if (typeof source.randomUUID === 'function') return source.randomUUID();
  const bytes = source.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
