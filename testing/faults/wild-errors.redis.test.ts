/** Each kind of error through each place it passes: the run, the record, its group, the log, the sentence for a person. */
import { describe, expect, it } from 'vitest';
import { sentenceOf } from '@/cli/terminal/exit-codes';
import { withoutEscapeCodes } from '@/lib/format/escape-codes';
import { createLogger } from '@/lib/worker';
import { WILD_ERRORS } from '@/testing/faults/wild-errors';
import { setUpWorkshop } from '@/testing/worlds/workers';

const shop = await setUpWorkshop();
const cases = Object.entries(WILD_ERRORS);

describe('errors as they are in the wild', () => {
  it('C1, C2, C3, C31: a dead letter says why, with a code, without colours, in a group of its own', async () => {
    const names = new Map(cases.map(([name], i) => [`e${i}`, name]));
    const run = new Map([...names].map(([id, name]) => [id, WILD_ERRORS[name]]));
    shop.work((_, { job }) => {
      throw run.get(job.jobId)?.throws();
    });
    for (const jobId of run.keys()) await shop.enqueue({ jobId, maxAttempts: 1 });
    const groups = new Map<string | null, string>();
    for (const [jobId, wild] of run) {
      const name = names.get(jobId) ?? '';
      const { history, group } = await shop.becomes(jobId, 'dead');
      const { message, errorCode, stack } = history.at(-1) ?? {};
      expect(message, name).toContain(wild?.says);
      expect(errorCode, name).toBe(wild?.code);
      const stored = `${message}\n${stack}`;
      expect(stored, name).toBe(withoutEscapeCodes(stored));
      expect(stored, name).not.toContain('SECRET');
      expect(groups.get(group ?? null), `${name} shares its group`).toBeUndefined();
      groups.set(group ?? null, name);
    }
    expect(groups.size).toBe(run.size);
  });

  it.each(cases)('%s: the log and the sentence for a person say why', (_, { throws, says, code }) => {
    const thrown = throws();
    const lines: string[] = [];
    createLogger({ destination: { write: (line) => lines.push(line) } }).error({ err: thrown }, 'failed');
    const { err } = JSON.parse(lines[0] ?? '{}') as { err: { message?: string; code?: string } };
    const isNothing = thrown === undefined;
    if (!isNothing) expect(err.message).toContain(says);
    expect(lines[0]).not.toContain('SECRET');
    expect(sentenceOf(thrown)).toContain(says);
    if (/^(?:E|HTTP|\d)/.test(code)) expect(sentenceOf(thrown)).toContain(code);
  });
});
