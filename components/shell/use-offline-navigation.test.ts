// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { pathOfClick } from './use-offline-navigation';

const ORIGIN = 'https://redrive.test';
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
