/** docs/runbook.md: a section for each finding, commands that there are, and a place for each alert to link to. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runRedrive } from '@/cli/run-redrive';
import { EXIT } from '@/cli/terminal/exit-codes';
import { fixtureTerminal } from '@/cli/terminal/fixture-terminal';
import { FINDING_CODES } from '@/lib/contract/alerts/finding-codes';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const VERDICT = 'lib/server/live/verdict';
const [, ...parts] = read('docs/runbook.md').split(/^## /m);
const sections = parts.map((part) => {
  const [title = '', ...lines] = part.split('\n');
  return { title, text: lines.join('\n') };
});
const titles = sections.map(({ title }) => title);

describe('docs/runbook.md', () => {
  it('has a section for every code of a finding, and no other', () => {
    expect(
      FINDING_CODES.filter((code) => !titles.includes(code)),
      'Write these sections in docs/runbook.md',
    ).toEqual([]);
    expect(
      titles.filter((title) => title !== 'findings' && !FINDING_CODES.includes(title)),
      'No finding has these codes: remove their sections from docs/runbook.md',
    ).toEqual([]);
  });

  it('docs/settings.md says of each finding which number it has, and why that is no objective', () => {
    const [, objectives = ''] = read('docs/settings.md').split(/^## (?:Objectives|Draining)$/m);
    expect(FINDING_CODES.filter((code) => !objectives.includes(`\`${code}\``))).toEqual([]);
  });

  it('the list of codes has every code that the verdict and its tests name', () => {
    const named = readdirSync(join(ROOT, VERDICT)).flatMap((file) =>
      [...read(`${VERDICT}/${file}`).matchAll(/\bcode: '([A-Z_]+)'/g)].map(([, code = '']) => code),
    );
    expect(named.length).toBeGreaterThan(5);
    for (const code of named) expect(FINDING_CODES).toContain(code);
  });

  it.each(sections.filter(({ title }) => /^[A-Z_]+$/.test(title)))(
    '$title says what it means, how to tell and what to do',
    ({ text }) => {
      const at = ['**Meaning.**', '**How to tell.**', '**What to do.**'].map((word) => text.indexOf(word));
      expect(at.every((place, i) => place > (at[i - 1] ?? -1))).toBe(true);
      expect(text).toContain('```sh\nredrive ');
    },
  );

  const commands = sections.flatMap(({ text }) =>
    [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.trim().split('\n')),
  );
  const inText = [...read('docs/runbook.md').matchAll(/`(redrive [^`]+)`/g)].map(
    ([, command = '']) => command,
  );

  it.each([...new Set([...commands, ...inText])])('the command line takes: %s', async (line) => {
    // As a shell reads it.
    const words = execFileSync('bash', ['-c', `redrive() { printf '%s\\0' "$@"; }; ${line}`])
      .toString()
      .split('\0')
      .slice(0, -1);
    const nowhere = { REDRIVE_URL: 'http://127.0.0.1:1', REDIS_URL: 'redis://127.0.0.1:1' };
    const terminal = fixtureTerminal(nowhere, 'yes');
    const code = await runRedrive(words, terminal);
    expect([EXIT.usage, EXIT.failed], terminal.output()).not.toContain(code);
  });
});

describe('deploy/prometheus/alerts.rules.yml', () => {
  const { groups } = parse(read('deploy/prometheus/alerts.rules.yml')) as {
    groups: { rules: { alert: string; annotations: { runbook: string } }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);

  it.each(rules)('$alert links to a section', ({ annotations }) => {
    const [, anchor] = /^docs\/runbook\.md#(\w+)$/.exec(annotations.runbook) ?? [];
    expect(titles.map((title) => title.toLowerCase())).toContain(anchor);
  });
});
