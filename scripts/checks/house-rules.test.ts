import { describe, expect, it } from 'vitest';
import {
  browserProblems,
  folderProblems,
  nameProblems,
  subjectProblems,
  translationProblems,
  wordProblems,
} from './house-rules.mjs';

describe('words that are out', () => {
  it('are found in comments and as a part of an identifier', () => {
    const text = ['const a = 1;', '// Whoever asks', 'const unburyJob = 1;', 'const CubeKey = 1;'].join('\n');
    expect(wordProblems('lib/a.ts', text)).toEqual([
      'lib/a.ts:2 says "whoever". Write: name the subject.',
      'lib/a.ts:3 says "unbury". Write: take out of the dead-letter index.',
      'lib/a.ts:4 says "cube". Write: aggregate.',
    ]);
  });

  it('are not found inside other words', () => {
    expect(wordProblems('lib/a.ts', 'recommend health indeed incubed')).toEqual([]);
  });
});

describe('file names', () => {
  it('belong to one file', () => {
    expect(nameProblems(['lib/a/slots.ts', 'lib/b/slots.ts', 'lib/a/index.ts', 'lib/b/index.ts'])).toEqual([
      'lib/a/slots.ts and lib/b/slots.ts have one name. Name each for what it does.',
    ]);
  });

  it('differ by more than an s, and say what the file is for', () => {
    expect(nameProblems(['lib/outcome.ts', 'lib/b/outcomes.ts', 'lib/utils.ts'])).toEqual([
      'lib/outcome.ts and lib/b/outcomes.ts differ by an s only.',
      'lib/utils.ts: the name does not say what the file is for.',
    ]);
  });
});

describe('what a browser may refuse', () => {
  it('is touched by its own module only', () => {
    const text = 'const theme = localStorage.getItem("theme");';
    expect(browserProblems('app/a.tsx', text)).toEqual([
      'app/a.tsx uses "localStorage", which a browser may refuse. Use lib/device/browser-storage.ts.',
    ]);
    expect(browserProblems('lib/browser/a.ts', 'await navigator.locks.request("a", take);')).toHaveLength(1);
    expect(browserProblems('components/a.tsx', 'new Notification("a")')).toHaveLength(1);
    expect(browserProblems('lib/device/browser-storage.ts', text)).toEqual([]);
    expect(browserProblems('lib/server/a.ts', text)).toEqual([]);
  });
});

it('what is monospaced is not translated', () => {
  const tag = (rest: string) => `<b>\n<span ${rest} className={cn('font-mono')}>{id}</span></b>`;
  expect(translationProblems('app/a.tsx', tag('translate="no"'))).toEqual([]);
  expect(translationProblems('app/a.tsx', tag('title={id}'))).toEqual([
    'app/a.tsx:2 shows data in font-mono. Give it translate="no".',
  ]);
});

it('a folder has at most 25 files', () => {
  const files = Array.from({ length: 26 }, (_, i) => `lib/full/file-${i}.ts`);
  expect(folderProblems(files.slice(1))).toEqual([]);
  expect(folderProblems(files)).toEqual([
    'lib/full has 26 files; at most 25. Give a subject its own folder.',
  ]);
});

it('a commit names its component and what it does, briefly', () => {
  expect(
    subjectProblems(['queues: show the reason of a pause', 'Pauses have reasons', `a: ${'b'.repeat(70)}`]),
  ).toHaveLength(2);
});
