import { describe, expect, it } from 'vitest';
import * as language from '@/lib/contract/search/query';
import { AGE_BUCKETS } from '@/lib/contract/search/search-limits';
import { queryForGroups } from './groups/group-query';
import { excludeFacet, groupInQuery, isFacetActive, toggleFacet } from './query-terms';

const { parseQuery, printQuery } = language;

function filter(text: string): language.Filter {
  const parsed = parseQuery(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.filter;
}

describe('a facet', () => {
  it('narrows at a click, and takes that back at the next', () => {
    const narrowed = toggleFacet(filter('tenant:acme'), 'type', 'invoice.pay');
    expect(filter(narrowed)).toEqual(filter('tenant:acme type:invoice.pay'));
    expect(isFacetActive(filter(narrowed), 'type', 'invoice.pay')).toBe(true);
    expect(toggleFacet(filter(narrowed), 'type', 'invoice.pay')).toBe('tenant:acme');
  });
  it.each(AGE_BUCKETS)('takes the age $value as one', ({ value, query }) => {
    const narrowed = toggleFacet(filter('code:X'), 'age', value);
    expect(filter(narrowed)).toEqual(filter(`code:X ${query}`));
    expect(isFacetActive(filter(narrowed), 'age', value)).toBe(true);
    expect(AGE_BUCKETS.filter((other) => isFacetActive(filter(narrowed), 'age', other.value))).toHaveLength(
      1,
    );
    expect(toggleFacet(filter(narrowed), 'age', value)).toBe('code:X');
  });
  it('can leave a value out', () => {
    expect(excludeFacet(filter(''), 'code', 'HTTP_503')).toBe('-code:HTTP_503');
    expect(excludeFacet(filter('code:HTTP_503 tenant:acme'), 'code', 'HTTP_503')).toBe(
      printQuery(filter('tenant:acme -code:HTTP_503')),
    );
  });
  it('changes nothing for what is no value of its field', () => {
    expect(toggleFacet(filter('code:X'), 'age', 'never')).toBe('code:X');
    expect(toggleFacet(filter('code:X'), 'class', 'no-class')).toBe('code:X');
  });
});

describe('groups', () => {
  it('narrow the query to one or to several', () => {
    expect(filter(queryForGroups(language, filter('tenant:acme'), ['aaaaaaaaaaaa']))).toEqual(
      filter('tenant:acme group:aaaaaaaaaaaa'),
    );
    for (const known of [language, null]) {
      expect(filter(queryForGroups(known, filter(''), ['aaaaaaaaaaaa', 'bbbbbbbbbbbb']))).toEqual(
        filter('group:(aaaaaaaaaaaa OR bbbbbbbbbbbb)'),
      );
      expect(queryForGroups(known, filter(''), ['aaaaaaaaaaaa'])).toBe('group:aaaaaaaaaaaa');
    }
    expect(queryForGroups(language, filter('group:aaaaaaaaaaaa'), ['aaaaaaaaaaaa'])).toBe(
      'group:aaaaaaaaaaaa',
    );
  });
  it('are known when the query is about one', () => {
    expect(groupInQuery(filter('tenant:acme group:aaaaaaaaaaaa'))).toBe('aaaaaaaaaaaa');
    expect(groupInQuery(filter('group:aaaa'))).toBeNull();
    expect(groupInQuery(filter('-group:aaaaaaaaaaaa'))).toBeNull();
    expect(groupInQuery(filter('group:aaaaaaaaaaaa OR tenant:acme'))).toBeNull();
  });
});
