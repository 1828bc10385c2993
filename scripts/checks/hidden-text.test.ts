/**
 * ASVS 16.4.1 and the names of S1: words that people wrote are put into pages through `revealHidden()`, which writes out what cannot be seen
 * or turns the direction of the rest. A reason that reads backwards would otherwise say something else than it does.
 */
import { describe, expect, it } from 'vitest';
import { revealHidden } from '@/lib/format/display-text';
import { linesWith, sourcesIn } from '@/testing/project-files';

const PAGES = sourcesIn(['components', 'app'], { ending: /\.tsx$/ });
/** Fields that hold a person's words or name, put in by themselves: `{pause.reason}`, `by ${entry.actor}`. Inputs show what is typed. */
const BARE =
  /(?<!(?:value|defaultValue|key|reason|actor|note)=)\{(?:\w+\??\.)*(?:reason|actor)\}|(?<!=)\{\w+\??\.note\}/;
const bareIn = (line: string) => BARE.test(line) && !/revealHidden\(|\bkey[:=]/.test(line);

it('there is something to look at', () => expect(PAGES.length).toBeGreaterThan(150));

describe('words that people wrote', () => {
  it('are never put in as they are', () => {
    expect(linesWith(PAGES, BARE).filter(bareIn)).toEqual([]);
  });

  it('and a place where they were would be seen', () => {
    for (const bad of [
      '“{pause.reason}”',
      '<b>{entry.actor}</b>',
      '{reason}',
      'title={`by $' + '{operation.actor}`}',
      '{group.note}',
    ])
      expect(bareIn(bad), bad).toBe(true);
    for (const fine of [
      '{revealHidden(pause.reason)}',
      'value={form.reason}',
      '{ reason, actor }',
      'reason={reason}',
    ])
      expect(bareIn(fine), fine).toBe(false);
  });
});

it.each([
  ['\u202egnp.exe', '⟨U+202E⟩gnp.exe'],
  ['a\u200db', 'a⟨U+200D⟩b'],
  ['a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
  ['\u001b[2J', '⟨U+001B⟩[2J'],
  ['a\u2028b\r\n', 'a⟨U+2028⟩b⟨U+000D⟩⟨U+000A⟩'],
  ['\u{e0061}', '⟨U+E0061⟩'],
  ['\u3164', '⟨U+3164⟩'],
])('%j is shown as %s', (text, shown) => expect(revealHidden(text)).toBe(shown));
