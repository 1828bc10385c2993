// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook } from '@testing-library/react';
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime';
import { createElement, type ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { LiveProvider } from '@/lib/browser/live/live-provider';
import { pathOfClick, useOfflineNavigation } from './use-offline-navigation';

const ORIGIN = 'https://redrive.test';
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
function clickOn(html: string, init: MouseEventInit = {}): string | null {
  document.body.innerHTML = html;
  let path: string | null = null;
  const target = document.body.querySelector('i');
  target?.addEventListener('click', (event) => {
    path = pathOfClick(event as MouseEvent, ORIGIN);
    event.preventDefault();
  });
  target?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...init }));
  return path;
}

it('B12: knows the clicks that would leave the page for another one of the console', () => {
  expect(clickOn('<a href="/dead?q=a#b"><i></i></a>')).toBe('/dead?q=a#b');
  expect(clickOn(`<a href="${ORIGIN}/lab"><i></i></a>`)).toBe('/lab');
  expect(clickOn('<a href="/dead"><i></i></a>', { ctrlKey: true })).toBeNull();
  expect(clickOn('<a href="/dead" target="_blank"><i></i></a>')).toBeNull();
  expect(clickOn('<a href="/api/v1/audit/file" download><i></i></a>')).toBeNull();
  expect(clickOn('<a href="https://example.com/"><i></i></a>')).toBeNull();
  expect(clickOn('<a href="#main"><i></i></a>')).toBeNull();
  expect(clickOn('<button><i></i></button>')).toBeNull();
});

it('B12: a click while the console cannot be reached keeps the page, and opens the next one once it can', async () => {
  const push = vi.fn();
  const router = { push } as unknown as AppRouterInstance;
  let isThere = false;
  const probes = vi.fn();
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
    if (url === '/healthz') probes(isThere);
    if (!isThere) throw new TypeError('Failed to fetch');
    return new Response('ok');
  });
  // A stream on which no frame ever arrives: the status is not live.
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      close() {}
    },
  );
  const client = new QueryClient();
  renderHook(() => useOfflineNavigation(), {
    wrapper: ({ children }: { children: ReactNode }) =>
      createElement(
        QueryClientProvider,
        { client },
        createElement(AppRouterContext, { value: router }, createElement(LiveProvider, null, children)),
      ),
  });
  const clickOnLink = (path: string) => {
    document.body.innerHTML = `<a href="${path}"><i></i></a>`;
    const click = new MouseEvent('click', { bubbles: true, cancelable: true });
    document.body.querySelector('i')?.dispatchEvent(click);
    return click;
  };
  expect(clickOnLink('/dead').defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(probes).toHaveBeenCalledExactlyOnceWith(false));
  isThere = true;
  expect(clickOnLink('/lab').defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(push).toHaveBeenCalledExactlyOnceWith('/lab'));
});
