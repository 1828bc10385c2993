// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { createStreamSeats, SEAT_MS, STREAMS_A_BROWSER } from './stream-seats';

const KEY = 'redrive.streams';
beforeEach(() => localStorage.clear());

const tabs = ({ now = () => 0, focused = -1 }: { now?: () => number; focused?: number } = {}) =>
  Array.from({ length: STREAMS_A_BROWSER + 1 }, (_, n) =>
    createStreamSeats({ tab: `tab-${n}`, now, hasFocus: () => n === focused }),
  );

it('gives a seat to few tabs of a browser; who has one keeps it, and one that leaves makes room', () => {
  const all = tabs();
  const taken = () => all.map((seats) => seats.take());
  expect(taken()).toEqual([null, null, null, 'taken']);
  expect(taken()).toEqual([null, null, null, 'taken']);
  all[1]?.leave();
  expect(all[3]?.take()).toBeNull();
  expect(all[1]?.take()).toBe('taken');
});

it('frees the seat of a tab that no longer renews it', () => {
  let now = 0;
  const all = tabs({ now: () => now });
  for (const seats of all) seats.take();
  now = SEAT_MS - 1;
  expect(all[0]?.take()).toBeNull();
  expect(all[3]?.take()).toBe('taken');
  now = SEAT_MS;
  expect(all[3]?.take()).toBeNull();
});

it('lets the last of tabs that took seats at once go, and only those', () => {
  const all = tabs();
  const seats = Object.fromEntries(all.map((_, n) => [`tab-${n}`, SEAT_MS]));
  localStorage.setItem(KEY, JSON.stringify(seats));
  expect(all.map((one) => one.take())).toEqual([null, null, null, 'taken']);
});

it('counts nothing that is no seat', () => {
  for (const stored of [JSON.stringify({ a: 'x', b: 1e15, c: null, d: -1 }), '[]', '"x"', 'no JSON']) {
    localStorage.setItem(KEY, stored);
    expect(tabs().map((seats) => seats.take())).toEqual([null, null, null, 'taken']);
  }
});

it('gives the tab with the focus a seat where the browser keeps nothing', () => {
  const blocked = vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied.', 'SecurityError');
  });
  expect(tabs({ focused: 2 }).map((seats) => seats.take())).toEqual([
    'unfocused',
    'unfocused',
    null,
    'unfocused',
  ]);
  expect(() => tabs()[0]?.leave()).not.toThrow();
  blocked.mockRestore();
});
