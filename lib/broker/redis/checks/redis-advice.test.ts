import { describe, expect, it } from 'vitest';
import { redisAdvice } from './redis-advice';

describe('S16: a Redis with known weaknesses', () => {
  it.each([
    '6.2.0',
    'Valkey 7.2.10',
    'Valkey 8.1.1',
    '6.2.19',
    '7.0.15',
    '7.2.4',
    '7.2.9',
    '7.4.5',
    '8.0.3',
    '8.2.1',
  ])('%s is named', (version) => {
    const sentence = redisAdvice(version);
    expect(sentence).toContain(version.replace('Valkey ', ''));
    expect(sentence).toMatch(version.startsWith('Valkey') ? /^Valkey says/ : /^Redis says/);
    expect(sentence).toContain('CVE-2025-49844');
    expect(sentence).toContain('distribution');
  });

  it.each([
    'Valkey 8.1.4',
    'Valkey 9.0.0',
    '6.2.20',
    '6.2.100',
    '7.2.11',
    '7.4.6',
    '8.0.4',
    '8.2.2',
    '8.4.0',
    '9.0.0',
    '',
    'unknown',
  ])('nothing is known against %j', (version) => expect(redisAdvice(version)).toBeNull());
});
