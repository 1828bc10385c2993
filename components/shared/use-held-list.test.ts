// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import type { PointerEvent } from 'react';
import { describe, expect, it } from 'vitest';
import { newRowsLabel, useHeldList } from './use-held-list';

const mouse = { pointerType: 'mouse' } as PointerEvent;

describe('a list under the hand', () => {
  it('stays as it was while the pointer rests on it, and is the latest after', () => {
    const { result, rerender } = renderHook(({ list, view }) => useHeldList(list, view), {
      initialProps: { list: ['a'], view: '1' },
    });
    rerender({ list: ['b', 'a'], view: '1' });
    expect(result.current).toMatchObject({ list: ['b', 'a'], isHeld: false });
    act(() => result.current.hold.onPointerEnter(mouse));
    rerender({ list: ['c', 'b', 'a'], view: '1' });
    expect(result.current).toMatchObject({ list: ['b', 'a'], isHeld: true });
    act(() => result.current.release());
    expect(result.current.list).toEqual(['c', 'b', 'a']);
    rerender({ list: ['d', 'c', 'b', 'a'], view: '1' });
    expect(result.current.list).toEqual(['c', 'b', 'a']);
    rerender({ list: ['z'], view: '2' });
    expect(result.current.list).toEqual(['z']);
    act(() => result.current.hold.onPointerLeave());
    rerender({ list: ['y', 'z'], view: '2' });
    expect(result.current).toMatchObject({ list: ['y', 'z'], isHeld: false });
  });

  it('holds for the focus as well, and not for a finger', () => {
    const { result, rerender } = renderHook(({ list }) => useHeldList(list, ''), {
      initialProps: { list: ['a'] },
    });
    act(() => result.current.hold.onPointerEnter({ pointerType: 'touch' } as PointerEvent));
    rerender({ list: ['b'] });
    expect(result.current.list).toEqual(['b']);
    act(() => result.current.hold.onFocus());
    rerender({ list: ['c'] });
    expect(result.current.list).toEqual(['b']);
  });

  it('says what the latest has', () => {
    expect(newRowsLabel(['b', 'a'], ['c', 'b'])).toBe('1 new');
    expect(newRowsLabel(['a'], ['c', 'd'])).toBe('2+ new');
    expect(newRowsLabel(['a', 'b'], ['b', 'a'])).toBe('changed');
    expect(newRowsLabel(['a', 'b'], ['a', 'b'])).toBeNull();
  });
});
