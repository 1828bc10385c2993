import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as lucide from 'lucide-react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import * as icons from './index';

const SPRITE = readFileSync(join(import.meta.dirname, 'icons.svg'), 'utf8');
const drawings = lucide as unknown as Record<string, lucide.LucideIcon>;

/** As lucide has it; the width of lines stands where an icon is used, and may be another there. */
const LOOK = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"';

/** The line that icons.svg must have for it. */
function symbolOf(name: string): string {
  const drawing = drawings[name];
  if (!drawing) throw new Error(`lucide has no ${name}`);
  const [, id, shapes = ''] =
    /class="lucide lucide-([\w-]+)[^>]*>(.*)<\/svg>/.exec(renderToStaticMarkup(createElement(drawing))) ?? [];
  return `<symbol id="${id}" viewBox="0 0 24 24" ${LOOK}>${shapes.replace(/><\/\w+>/g, '/>')}</symbol>`;
}

it('has each icon once, as lucide draws it', () => {
  expect(SPRITE.trim().split('\n').slice(1, -1)).toEqual(Object.keys(icons).sort().map(symbolOf));
});

it.each(Object.entries(icons))('%s refers to its own drawing', (name, Icon) => {
  const id = /id="([^"]+)"/.exec(symbolOf(name))?.[1];
  expect(renderToStaticMarkup(createElement(Icon, { className: 'size-4' }))).toContain(`#${id}"`);
});
