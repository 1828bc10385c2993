import { expect, it } from 'vitest';
import { dialogLink, filledText, fillIn, readFilled } from './dialog-link';

const PAGE = 'https://jobs.example/queues/email?state=dead&dialog=pause#old';

it('a link names the dialog and carries what is filled in behind the #', () => {
  const link = dialogLink(PAGE, {}, { reason: 'down, 50 % of mails', kind: 'queue' });
  expect(link.split('#')[0]).toBe('https://jobs.example/queues/email?state=dead&dialog=pause');
  expect(readFilled(link)).toEqual({ reason: 'down, 50 % of mails', kind: 'queue' });
});

it('leads to another page where the dialog has its place there', () => {
  const link = dialogLink(PAGE, { path: '/access?tab=users', dialog: 'grants', of: 'ann&bob' }, {});
  expect(link).toBe('https://jobs.example/access?tab=users&dialog=grants&of=ann%26bob');
  expect(readFilled(link)).toEqual({});
});

it('leaves out what would make the link too long for a chat', () => {
  expect(dialogLink(PAGE, {}, { reason: 'x'.repeat(9_000) })).toBe(PAGE.replace('#old', ''));
});

it.each([
  ['another dialog', 'https://x.example/?dialog=drain#pause=%7B%22reason%22%3A%22x%22%7D'],
  ['no dialog', 'https://x.example/#pause=%7B%22reason%22%3A%22x%22%7D'],
  ['no JSON', 'https://x.example/?dialog=pause#pause=%7B'],
  ['broken escapes', 'https://x.example/?dialog=pause#pause=%E0%A4%A'],
  ['a list', 'https://x.example/?dialog=pause#pause=%5B1%5D'],
  ['null', 'https://x.example/?dialog=pause#pause=null'],
])('takes nothing from an address with %s', (_, href) => {
  expect(readFilled(href)).toEqual({});
});

it('fills only values that the form has, of their type and of a sane length', () => {
  const form = { name: 'a', shared: false, rows: ['x'] };
  const filled = JSON.parse(
    `{"name":"b","shared":true,"rows":["y"],"typed":"1","__proto__":{"name":"z"},"other":${JSON.stringify('x'.repeat(5_000))}}`,
  );
  expect(fillIn(form, filled)).toEqual({ name: 'b', shared: true, rows: ['x'] });
  expect(fillIn(form, { name: 7, shared: 'yes' })).toEqual(form);
  expect(fillIn(form, { name: 'x'.repeat(4_001) })).toEqual(form);
  expect(filledText({ reason: 'why' }, 'reason')).toBe('why');
  expect(filledText({ reason: { toString: 'why' } }, 'reason')).toBe('');
});
