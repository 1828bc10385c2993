// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime';
import { createElement, type ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { urlFlag, urlInteger, urlOneOf, urlText, useUrlState, withFallback } from './url-state';

const PARSERS = {
  q: withFallback(urlText, ''),
  sort: urlOneOf(['name', 'age']),
  all: withFallback(urlFlag, true),
  from: urlInteger,
};
afterEach(cleanup);

it('returns what was written at once, before the router has heard of it, to every part of the page', () => {
  const one = renderHook(() => useUrlState(PARSERS));
  const other = renderHook(() => useUrlState(PARSERS));
  act(() => one.result.current[1]({ q: 'a b', from: 7 }));
  act(() => one.result.current[1]({ q: 'a bc', all: false }));
  for (const { result } of [one, other])
    expect(result.current[0]).toEqual({ q: 'a bc', sort: null, all: false, from: 7 });
  expect(window.location.search).toBe('?q=a+bc&from=7&all=false');
  act(() => one.result.current[1]({ q: '', all: true, from: null }));
  expect(window.location.search).toBe('');
});

it('keeps what was written however late the router hears of it, and forgets it with Back or with the page', () => {
  vi.useFakeTimers();
  const page = renderHook(() => useUrlState(PARSERS));
  act(() => page.result.current[1]({ q: 'open' }));
  act(() => vi.advanceTimersByTime(3_600_000));
  expect(page.result.current[0].q).toBe('open');
  act(() => window.dispatchEvent(new PopStateEvent('popstate')));
  expect(page.result.current[0].q).toBe('');
  act(() => page.result.current[1]({ q: 'again' }));
  page.unmount();
  expect(renderHook(() => useUrlState(PARSERS)).result.current[0].q).toBe('');
  vi.useRealTimers();
});

it('takes out what a late answer closes, when the router has arrived since the request was sent', () => {
  let search = '';
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(SearchParamsContext, { value: new URLSearchParams(search) }, children);
  const page = renderHook(() => useUrlState(PARSERS), { wrapper });
  act(() => page.result.current[1]({ q: 'open' }));
  const answer = page.result.current[1];
  search = 'q=open';
  page.rerender();
  act(() => answer({ q: '' }));
  expect(page.result.current[0].q).toBe('');
  expect(window.location.search).toBe('');
});

it.each([
  [urlText, 'x', 'x'],
  [urlInteger, '-12', -12],
  [urlInteger, '1e3', null],
  [urlFlag, 'false', false],
  [urlFlag, 'no', null],
  [urlOneOf(['a', 'b']), 'b', 'b'],
  [urlOneOf(['a', 'b']), 'c', null],
])('reads a parameter, and nothing from nonsense', (parser, text, value) => {
  expect(parser.parse(text)).toBe(value);
});
