/**
 * One idempotency key per intent. The same request after a missing answer repeats the key, so that a write which did
 * arrive is not made twice. The intent ends with an answer or with another request.
 */
export interface IdempotencyKey {
  keyFor(input: unknown): string;
  end(): void;
}

export function createIdempotencyKey(makeKey: () => string = randomKey): IdempotencyKey {
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

/** `crypto.randomUUID` exists only in secure contexts, which plain http:// in a LAN is not. */
export function randomKey(
  source: Pick<Crypto, 'getRandomValues'> & { randomUUID?: () => string } = crypto,
): string {
  if (typeof source.randomUUID === 'function') return source.randomUUID();
  const bytes = source.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
