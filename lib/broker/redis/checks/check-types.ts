/** What a check is, and the few ways it can end. */
import type { CheckTopic, CheckVerdict } from '@/lib/contract/redis/redis-check-verdicts';
import type { ConfigName, ServerReadings } from './server-readings';

export interface Judgement {
  readonly verdict: CheckVerdict;
  readonly value: string;
  readonly fix: string | null;
}

export interface RedisCheck {
  readonly id: string;
  readonly topic: CheckTopic;
  readonly title: string;
  /** Why it matters to jobs, in a sentence. */
  readonly why: string;
  /** Null: it does not apply to this server. */
  readonly judge: (readings: ServerReadings) => Judgement | null;
}

export const ok = (value: string): Judgement => ({ verdict: 'ok', value, fix: null });
export const warn = (value: string, fix: string): Judgement => ({ verdict: 'warn', value, fix });
export const bad = (value: string, fix: string): Judgement => ({ verdict: 'bad', value, fix });
export const notAllowed = (command: string): Judgement => ({
  verdict: 'unknown',
  value: `cannot tell: ${command} is not allowed`,
  fix: `Run redrive doctor as a Redis user that may use ${command}, or look at the server yourself.`,
});
const notReported = (name: string): Judgement => ({
  verdict: 'unknown',
  value: `cannot tell: this server does not report ${name}`,
  fix: null,
});

/** Judges fields of INFO, or says which one is missing. */
export const byInfo =
  (names: readonly string[], judge: (values: string[], readings: ServerReadings) => Judgement | null) =>
  (readings: ServerReadings): Judgement | null => {
    const missing = names.find((name) => !readings.info.has(name));
    if (missing !== undefined) return notReported(missing);
    return judge(
      names.map((name) => readings.info.get(name) ?? ''),
      readings,
    );
  };

/** Judges one setting, or says that CONFIG is not allowed. */
export const byConfig =
  (name: ConfigName, judge: (value: string, readings: ServerReadings) => Judgement | null) =>
  (readings: ServerReadings): Judgement | null => {
    if (readings.config === null) return notAllowed('CONFIG');
    const value = readings.config.get(name);
    return value === undefined ? notReported(name) : judge(value, readings);
  };

export const numberIn = (readings: ServerReadings, name: string): number =>
  Number(readings.info.get(name) ?? 0);
