import { describe, expect, it } from 'vitest';
import type { Suggestion } from '@/lib/contract/search/search-schemas';
import { reuseSuggestions } from './reuse-suggestions';

const field = (insert: string, from: number, to: number): Suggestion => ({
  kind: 'field',
  insert,
  from,
  to,
  hint: null,
  count: null,
});
const asked = { q: 'code:X ty', caret: 9, suggestions: [field('type:', 7, 9), field('tyres:', 7, 9)] };
const inserts = (text: string, caret = text.length) =>
  reuseSuggestions(asked, text, caret).map(({ insert }) => insert);

describe('suggestions while the word is typed on', () => {
  it('are all there for the text they were asked for', () => {
    expect(reuseSuggestions(asked, asked.q, asked.caret)).toBe(asked.suggestions);
  });
  it('are fewer with each letter that rules some out, and end where the word now ends', () => {
    expect(inserts('code:X typ')).toEqual(['type:']);
    expect(reuseSuggestions(asked, 'code:X TYP', 10)[0]).toMatchObject({ from: 7, to: 10 });
    expect(inserts('code:X t')).toEqual(['type:', 'tyres:']);
  });
  it('are none once another word began, or what stands before them changed', () => {
    expect(inserts('code:X ty ')).toEqual([]);
    expect(inserts('code:Y typ')).toEqual([]);
    expect(inserts('code:X (ty')).toEqual([]);
    expect(inserts('', 0)).toEqual([]);
  });
  it('are none once the only one is typed to its end', () => {
    expect(inserts('code:X tyres')).toEqual(['tyres:']);
    expect(inserts('code:X tyres:')).toEqual([]);
    const whole = { q: 'type:', caret: 5, suggestions: [field('type:', 0, 5)] };
    expect(reuseSuggestions(whole, 'type:', 5)).toEqual([]);
    const two = { ...whole, suggestions: [field('type:', 0, 5), field('type:x', 0, 5)] };
    expect(reuseSuggestions(two, 'type:', 5)).toHaveLength(2);
  });
  it('keep what stands behind the word', () => {
    const before = { q: 'ty code:X', caret: 2, suggestions: [field('type:', 0, 2)] };
    expect(reuseSuggestions(before, 'typ code:X', 3)[0]).toMatchObject({ from: 0, to: 3 });
    expect(reuseSuggestions(before, 'typ code:Y', 3)).toEqual([]);
  });
});
