import { describe, expect, it } from 'vitest';
import { agePresetOf, ageText, cutoffOf, filterParts, parseAge } from './filter';

describe('ages', () => {
  it('reads what people type', () => {
    expect(parseAge('90m')).toBe(5_400_000);
    expect(parseAge(' 2 H ')).toBe(7_200_000);
    expect(parseAge('3d')).toBe(259_200_000);
  });
  it('refuses what is no age, and more than a year', () => {
    for (const text of ['', 'soon', '-1h', '1.5h', '5', '400d']) expect(parseAge(text)).toBeNull();
  });
  it('says an age back exactly', () => {
    for (const text of ['1 h', '36 h', '2 d', '45 m', '30 s'])
      expect(ageText(parseAge(text) ?? 0)).toBe(text);
  });
  it('knows its presets', () => {
    expect(agePresetOf({})).toBe('any');
    expect(agePresetOf({ maxAgeMs: 3_600_000 })).toBe('last-1h');
    expect(agePresetOf({ minAgeMs: 5_000 })).toBe('custom');
  });
});

describe('filterParts', () => {
  it('names every condition once', () => {
    const parts = filterParts({ queue: 'email', class: 'crash', minAgeMs: 3_600_000 });
    expect(parts.map((part) => `${part.name} ${part.value}`)).toEqual([
      'Queue email',
      'Class crash',
      'Died more than 1 h ago',
    ]);
  });
});

describe('cutoffOf', () => {
  it('freezes the set as of the page, also when the filter asks for old ones', () => {
    expect(cutoffOf({}, 1_000_000)).toBe(1_000_000);
    expect(cutoffOf({ minAgeMs: 400_000 }, 1_000_000)).toBe(600_000);
  });
});
