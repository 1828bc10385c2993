import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { localName, localNameCookie } from './local-name';

beforeEach(() => vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:6379'));
afterEach(() => vi.unstubAllEnvs());
const asking = (cookie?: string) =>
  localName(new Request('http://127.0.0.1/', { headers: cookie === undefined ? {} : { cookie } }));
const NOBODY = { name: 'local operator', chosen: false };

it('reads back the name it wrote, whatever its letters', () => {
  for (const name of ['Ada', 'José Núñez', '山田 太郎', 'a; b=c', '"quoted"', '100 %', '😀']) {
    const cookie = localNameCookie(name);
    expect(cookie).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
    expect(asking(`other=1; ${cookie.split(';')[0]}; last=2`)).toEqual({ name, chosen: true });
  }
});

it('takes what is no name for no name', () => {
  for (const value of [
    '',
    '%',
    '%E0%A4%A',
    encodeURIComponent('two\nlines'),
    encodeURIComponent('x'.repeat(61)),
    encodeURIComponent('\u202Eadmin'),
    encodeURIComponent('a\u200Bda'),
    'system',
    'Died-Again',
    encodeURIComponent(' Redrive '),
  ])
    expect(asking(`redrive-name=${value}`)).toEqual(NOBODY);
  expect(asking()).toEqual(NOBODY);
  expect(asking('redrive-name')).toEqual(NOBODY);
  expect(asking('not-redrive-name=Ada')).toEqual(NOBODY);
  expect(asking(`${'x=y; '.repeat(4_000)}redrive-name=Ada`)).toEqual(NOBODY);
});

it('passes over a cookie that is no name when another one is', () => {
  expect(asking('redrive-name=%; redrive-name=Ada')).toEqual({ name: 'Ada', chosen: true });
});
