/** Values of options as people type them. A wrong one ends the command with a sentence that names the option. */
import { InvalidArgumentError } from 'commander';
import { parseDuration, parseNumber, parseRate } from '@/lib/format/parse-units';

const read =
  <T>(parse: (text: string) => T | undefined, hint: string) =>
  (text: string): T => {
    const value = parse(text);
    if (value === undefined) throw new InvalidArgumentError(`Write ${hint}.`);
    return value;
  };

export const durationValue = read(parseDuration, 'a number and a unit, such as 90s or 2h');
export const rateValue = read(parseRate, 'jobs a second, such as 50 or 90/min');
export const timeValue = read((text) => {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}, 'a time in ISO 8601, such as 2026-12-31T09:00:00Z');
export const numberValue = read((text) => {
  const value = parseNumber(text);
  return Number.isInteger(value) ? value : undefined;
}, 'a whole number');
export const percentValue = read((text) => {
  const share = Number(/^(\d+(?:\.\d+)?)\s*%?$/.exec(text.trim())?.[1] ?? Number.NaN);
  return share >= 0 && share <= 100 ? share / 100 : undefined;
}, 'a percentage, such as 20%');
export const jsonValue = read((text): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}, 'valid JSON');
/** `queue/id`, once for each job. */
export const jobValue = (text: string, before: { queue: string; jobId: string }[] = []) => {
  const [queue, jobId, ...rest] = text.split('/');
  if (!queue || !jobId || rest.length > 0)
    throw new InvalidArgumentError('Write queue/id, such as mail/welcome-42.');
  return [...before, { queue, jobId }];
};
export const listValue = (text: string, before: string[] = []): string[] => [
  ...before,
  ...text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
];
