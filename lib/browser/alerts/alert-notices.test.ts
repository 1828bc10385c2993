// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import { FIRING_ALERT } from '@/testing/records/alert-about-orders';
import { noticesOf, readShown, rememberShown } from './alert-notices';

const alert = (id: string, over: Partial<Alert> = {}): Alert => ({
  ...FIRING_ALERT,
  id,
  sentence: `60% of runs in ${id} fail.`,
  ...over,
});
beforeEach(() => localStorage.clear());

it('tells of each alert once, whatever the number of looks', () => {
  const live = [alert('a'), alert('b', { level: 'warn' })];
  expect(noticesOf(readShown(), live)).toEqual([
    { tag: 'a', title: 'Problem: FAILING', body: '60% of runs in a fail.' },
    { tag: 'b', title: 'Warning: FAILING', body: '60% of runs in b fail.' },
  ]);
  rememberShown(live);
  expect(noticesOf(readShown(), live)).toEqual([]);
  expect(noticesOf(readShown(), [...live, alert('c')]).map(({ tag }) => tag)).toEqual(['c']);
});

it('keeps quiet about what is pending, acknowledged or silenced, until that is over', () => {
  const quiet = [
    alert('a', { state: 'pending' }),
    alert('b', { acknowledged: { at: 0, actor: 'ann', note: null } }),
    alert('c', { silencedBy: 's1' }),
  ];
  expect(noticesOf([], quiet)).toEqual([]);
  rememberShown(quiet);
  expect(noticesOf(readShown(), [alert('a'), alert('c')]).map(({ tag }) => tag)).toEqual(['a', 'c']);
});

it('folds many at once into one', () => {
  const many = ['a', 'b', 'c', 'd'].map((id) => alert(id));
  expect(noticesOf([], many)).toEqual([{ tag: 'a', title: '4 new alerts', body: '60% of runs in a fail.' }]);
});

it('remembers a bounded number, the latest, and survives a storage that holds something else', () => {
  for (let i = 0; i < 250; i += 1) rememberShown([alert(`a${i}`)]);
  expect(readShown()).toHaveLength(200);
  expect(readShown().at(-1)).toBe('a249');
  for (const text of ['{', '{"a":1}', 'null', '[1,"x"]']) {
    localStorage.setItem('redrive.alert-notifications.shown', text);
    expect(readShown()).toEqual(text === '[1,"x"]' ? ['x'] : []);
  }
});
