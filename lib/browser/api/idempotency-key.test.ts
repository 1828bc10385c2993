import { describe, expect, it } from 'vitest';
import { createIdempotencyKey, randomKey } from './idempotency-key';

const counting = () => {
  let made = 0;
  return () => `key-${++made}`;
};

describe('createIntent', () => {
  it('repeats the key while the same is asked and no answer came', () => {
    const intent = createIdempotencyKey(counting());
    expect(intent.keyFor({ reason: 'a' })).toBe('key-1');
    expect(intent.keyFor({ reason: 'a' })).toBe('key-1');
  });

  it('takes another key for something else, and after an answer', () => {
    const intent = createIdempotencyKey(counting());
    intent.keyFor({ reason: 'a' });
    expect(intent.keyFor({ reason: 'b' })).toBe('key-2');
    intent.end();
    expect(intent.keyFor({ reason: 'b' })).toBe('key-3');
  });
});

describe('newKey', () => {
  it('works where crypto.randomUUID does not exist', () => {
    const key = randomKey({ getRandomValues: crypto.getRandomValues.bind(crypto) });
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(randomKey()).not.toBe(randomKey());
  });
});
