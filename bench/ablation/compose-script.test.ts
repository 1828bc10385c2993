import { describe, expect, it } from 'vitest';
import { composeScript } from './compose-script';
import { ALL_PIECES, addingSteps, PIECES, type PieceName, usingSteps } from './pieces';
import { PLAIN_ENQUEUE } from './plain-enqueue';
import { PLAIN_TURN } from './plain-turn';
import { composeRun } from './run-pieces';

const SOURCES = [PLAIN_ENQUEUE, PLAIN_TURN];
/** Those that cost the client alone. */
const CLIENT_PIECES: readonly PieceName[] = ['tracing', 'breaker', 'timer', 'envelope', 'zod'];

/** Without the numbers of the keys, which shift with every column that is added. */
const linesOf = (pieces: readonly PieceName[]): string[] =>
  SOURCES.flatMap((source) => {
    const { lua, columns } = composeScript(source, pieces);
    return lua.replace(/KEYS\[(\d+)\]/g, (_, nth) => `keys.${columns[Number(nth) - 1]}`).split('\n');
  });
/** Lines of `more` that `fewer` does not have, if that is the only difference. */
function addedLines(fewer: readonly string[], more: readonly string[]): string[] {
  const left = [...fewer];
  const added = more.filter((line) => {
    if (left[0] !== line) return true;
    left.shift();
    return false;
  });
  expect(left).toEqual([]);
  return added;
}

describe('a composed script', () => {
  it('has the lines without a mark and those of its pieces', () => {
    const source = `
a = keys.one
b = keys.two --@limits
--{ events|minutes
c = keys.three
d = keys.one --@limits
--}`;
    expect(composeScript(source, [])).toMatchObject({ lua: 'a = KEYS[1]', columns: ['one'] });
    expect(composeScript(source, ['minutes'])).toMatchObject({
      lua: 'a = KEYS[1]\nc = KEYS[2]',
      columns: ['one', 'three'],
    });
    expect(composeScript(source, ['limits', 'events']).lua.split('\n')).toHaveLength(4);
  });

  it('refuses marks that mean nothing', () => {
    expect(() => composeScript('a --@limit', [])).toThrow('There is no piece limit.');
    expect(() => composeScript('--{ limits', [])).toThrow('does not close');
    expect(() => composeScript('--}', [])).toThrow('never opened');
  });

  it('has no mark left, and the plain one no more keys than the design', () => {
    expect(linesOf(ALL_PIECES).join('\n')).not.toMatch(/--[@{}]/);
    expect(composeScript(PLAIN_TURN, []).columns.length).toBeLessThanOrEqual(12);
  });
});

describe('the steps', () => {
  it('add exactly one piece each, until all are there', () => {
    const steps = addingSteps();
    expect(steps[0]).toMatchObject({ pieces: [], inUse: [], before: null });
    expect(steps.at(-1)?.pieces).toEqual(ALL_PIECES);
    for (const [i, step] of steps.slice(1).entries()) {
      expect(step.pieces).toEqual([...(steps[i]?.pieces ?? []), PIECES[i]?.name]);
      expect(step.before).toBe(steps[i]?.title);
      const added = addedLines(linesOf(steps[i]?.pieces ?? []), linesOf(step.pieces));
      const isOfClient = CLIENT_PIECES.includes(PIECES[i]?.name ?? 'limits');
      expect(added.length > 0, step.title).toBe(!isOfClient);
    }
  });

  it('put one piece to use each, with all there that Redrive has for each job', () => {
    for (const { pieces, inUse, before } of usingSteps()) {
      expect(pieces).toEqual(ALL_PIECES.filter((piece) => piece !== 'timer' && piece !== 'envelope'));
      expect(inUse).toHaveLength(1);
      expect(before).toBe('payload checked with zod');
    }
  });
});

describe('what is done around a handler', () => {
  const row = (payload: object) => `1 0 8 0 0 email.send 1 acme\n{"at":1}\n${JSON.stringify(payload)}`;

  it('runs it once, with every piece', async () => {
    const seen: number[] = [];
    for (const pieces of [[], ALL_PIECES] as const)
      await composeRun((n) => void seen.push(n), { pieces, inUse: ['breaker'] })(
        row({ n: seen.length, at: '0', text: '' }),
        'id',
      );
    expect(seen).toEqual([0, 1]);
  });

  it('checks what its pieces check', () => {
    const run = (pieces: readonly PieceName[], text: string) => () =>
      composeRun(() => undefined, { pieces, inUse: [] })(text, 'id');
    expect(run([], row({ n: 'x' }))).not.toThrow();
    expect(run(['zod'], row({ n: 'x' }))).toThrow();
    expect(run([], 'no\nhead\n{}')).not.toThrow();
    expect(run(['envelope'], 'no\nhead\n{}')).toThrow('cannot be read');
  });
});
