import { expect, test } from 'vitest';
import { passwordProblem } from '@/lib/users/password-policy';

test.each([
  ['too short', 'fourteen chars', 'must have at least 15 characters; this one has 14'],
  ['short, in letters of two units', '😀'.repeat(14), 'this one has 14'],
  ['too long', 'kettle violet '.repeat(30), 'at most 256 characters'],
  ['one letter', 'a'.repeat(40), 'too easy to guess'],
  ['a known one, twice', 'passwordpassword', 'too easy to guess'],
  ['known ones in a row', 'letmeinplease123', 'too easy to guess'],
  ['a walk over the keyboard', 'qwertyuiopasdfghjkl', 'too easy to guess'],
  ['a month and years', 'september20252026', 'too easy to guess'],
  ['the product', 'redriveredisconsole', 'too easy to guess'],
  ['digits in order', '123456789012345', 'too easy to guess'],
  ['with the name', 'the violet ANN of nineteen kettles', 'must not contain the name'],
])('refused: %s', (_, password, sentence) => {
  expect(passwordProblem(password, 'Ann')).toContain(sentence);
});

test('a part of a name is the name', () => {
  expect(passwordProblem('lovelace violet kettle harbor', 'ada.lovelace')).toContain('the name of its user');
  expect(passwordProblem('lovelace violet kettle harbor', 'ada')).toBeNull();
});

test.each([
  'violet kettle harbor nineteen',
  'violet kettle harbor',
  'xq7hw2mzp0vk4td',
  '日本語のとても長い合言葉なのです九',
  'zwölf Boxkämpfer jagen Viktor',
  `${'kettle violet harbor marble tractor onion '.repeat(6)}end`,
])('accepted, whatever its letters are: %s', (password) => {
  expect(passwordProblem(password, 'Bo')).toBeNull();
});
