import { describe, expect, it } from 'vitest';
import { AGE_BUCKETS } from '@/lib/contract/dead';
import { type Filter, parseQuery, printQuery } from '@/lib/contract/query';
import { excluding, groupOf, inGroups, isChosen, toggled } from './terms';

function filter(text: string): Filter {
  const parsed = parseQuery(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.filter;
}

describe('a facet', () => {
  it('narrows at a click, and takes that back at the next', () => {
    const narrowed = toggled(filter('tenant:acme'), 'type', 'invoice.pay');
    expect(filter(narrowed)).toEqual(filter('tenant:acme type:invoice.pay'));
    expect(isChosen(filter(narrowed), 'type', 'invoice.pay')).toBe(true);
    expect(toggled(filter(narrowed), 'type', 'invoice.pay')).toBe('tenant:acme');
  });
  it.each(AGE_BUCKETS)('takes the age $value as one', ({ value, query }) => {
    const narrowed = toggled(filter('code:X'), 'age', value);
    expect(filter(narrowed)).toEqual(filter(`code:X ${query}`));
    expect(isChosen(filter(narrowed), 'age', value)).toBe(true);
    expect(AGE_BUCKETS.filter((other) => isChosen(filter(narrowed), 'age', other.value))).toHaveLength(1);
    expect(toggled(filter(narrowed), 'age', value)).toBe('code:X');
  });
  it('can leave a value out', () => {
    expect(excluding(filter(''), 'code', 'HTTP_503')).toBe('-code:HTTP_503');
    expect(excluding(filter('code:HTTP_503 tenant:acme'), 'code', 'HTTP_503')).toBe(
      printQuery(filter('tenant:acme -code:HTTP_503')),
    );
  });
  it('changes nothing for what is no value of its field', () => {
    expect(toggled(filter('code:X'), 'age', 'never')).toBe('code:X');
    expect(toggled(filter('code:X'), 'class', 'no-class')).toBe('code:X');
  });
});

describe('groups', () => {
  it('narrow the query to one or to several', () => {
    expect(filter(inGroups(filter('tenant:acme'), ['aaaaaaaaaaaa']))).toEqual(
      filter('tenant:acme group:aaaaaaaaaaaa'),
    );
    expect(filter(inGroups(filter(''), ['aaaaaaaaaaaa', 'bbbbbbbbbbbb']))).toEqual(
      filter('group:(aaaaaaaaaaaa OR bbbbbbbbbbbb)'),
    );
    expect(inGroups(filter('group:aaaaaaaaaaaa'), ['aaaaaaaaaaaa'])).toBe('group:aaaaaaaaaaaa');
  });
  it('are known when the query is about one', () => {
    expect(groupOf(filter('tenant:acme group:aaaaaaaaaaaa'))).toBe('aaaaaaaaaaaa');
    expect(groupOf(filter('group:aaaa'))).toBeNull();
    expect(groupOf(filter('-group:aaaaaaaaaaaa'))).toBeNull();
    expect(groupOf(filter('group:aaaaaaaaaaaa OR tenant:acme'))).toBeNull();
  });
});
