import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { twMerge } from 'tailwind-merge';
import { expect, it } from 'vitest';
import { cn, kindOf } from './cn';

const COMPONENTS = join(import.meta.dirname, '..');
const words = readdirSync(COMPONENTS, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && file !== 'ui/cn.ts')
  .flatMap((file) => readFileSync(join(COMPONENTS, file), 'utf8').match(/'[^'\n]+'|"[^"\n]+"/g) ?? [])
  .flatMap((text) => text.slice(1, -1).split(/\s+/));
/** tailwind-merge keeps the double of a word that is no class. */
const CLASSES = [...new Set(words)].filter((word) => word !== '' && twMerge(`${word} ${word}`) === word);

const variantsOf = (name: string) => name.slice(0, name.lastIndexOf(':') + 1);
/** Of a kind some stand for all; of a class without a kind nothing is known. */
const SPEAKERS_OF_A_KIND = 2;
const speakers = new Map<string, string[]>();
for (const name of CLASSES) {
  const kind = kindOf(name.slice(variantsOf(name).length));
  const key = variantsOf(name) + (kind ?? `${name} alone`);
  speakers.set(key, [...(speakers.get(key) ?? []), name]);
}

it('decides as tailwind-merge does which of two classes of the console remain', () => {
  expect(CLASSES.length).toBeGreaterThan(400);
  const differences: string[] = [];
  const compare = (first: string, second: string) => {
    if (first !== second && cn(first, second) !== twMerge(first, second))
      differences.push(`${first} + ${second} = ${cn(first, second)}, not ${twMerge(first, second)}`);
  };
  for (const alike of speakers.values())
    for (const name of alike) {
      compare(alike[0] ?? '', name);
      compare(name, alike[0] ?? '');
    }
  const chosen = [...speakers.values()].flatMap((alike) => alike.slice(0, SPEAKERS_OF_A_KIND));
  for (const first of chosen)
    for (const second of chosen) if (variantsOf(first) === variantsOf(second)) compare(first, second);
  expect(differences).toEqual([]);
});

it('keeps the last of a kind in each variant, and drops what is falsy', () => {
  expect(cn('h-7 px-2 text-sm', false, { 'h-8': true }, undefined, 'hover:h-9')).toBe(
    'px-2 text-sm h-8 hover:h-9',
  );
  expect(cn('pl-3 pr-2', 'px-4')).toBe('px-4');
});
