// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useRowRoom } from './use-row-room';

afterEach(cleanup);

it('keeps the room of rows that left a short list, and not of a long or another one', () => {
  const { result, rerender } = renderHook(
    ({ view, shown }: { view: string; shown: number | null }) => useRowRoom(view, shown, 0),
    { initialProps: { view: 'ready', shown: null as number | null } },
  );
  const roomFor = (view: string, shown: number | null) => {
    rerender({ view, shown });
    return result.current;
  };
  // The words of an empty list take three rows, also before they are here.
  expect(result.current).toBe(3);
  expect(roomFor('ready', 0)).toBe(0);
  expect(roomFor('ready', 5)).toBe(0);
  expect(roomFor('ready', 2)).toBe(3);
  expect(roomFor('ready', 0)).toBe(2);
  expect(roomFor('ready', 50)).toBe(0);
  expect(roomFor('ready', 4)).toBe(8);
  expect(roomFor('dead', 4)).toBe(0);
  expect(renderHook(() => useRowRoom('ready', null, 7)).result.current).toBe(0);
});
