/** How much a finding says, to compare what it said at two times. Pure. */
import type { Verdict } from './queue-schemas';

type Said = Pick<Verdict['findings'][number], 'level' | 'sentence' | 'queues'>;

const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };

/** The number that a sentence begins with: "71 worker crashes", "At least 9 jobs". 0: it begins with none. */
export const leadingNumber = ({ sentence }: Pick<Said, 'sentence'>): number =>
  Number(/^(?:At least )?([\d,]+)/.exec(sentence)?.[1]?.replaceAll(',', '') ?? 0);

/** The first number after the subject, times in seconds: "… has waited 3 m 20 s". What stands in brackets is the objective. */
function innerNumber({ sentence }: Pick<Said, 'sentence'>): number {
  const [said = ''] = sentence.split(' (');
  const times = [...said.matchAll(/ ([\d.]+) (ms|[smhd])\b/g)];
  if (times.length > 0)
    return times.reduce((sum, [, n, unit = 's']) => sum + Number(n) * (SECONDS[unit] ?? 0), 0);
  return Number(/ ([\d,]+)(?=[ .]|$)/.exec(said)?.[1]?.replaceAll(',', '') ?? 0);
}

/** Whether `a` says more than `b`: a graver level, a larger number, more queues. */
export function saysMore(a: Said, b: Said): boolean {
  const weigh = (said: Said) => [
    said.level === 'bad' ? 1 : 0,
    leadingNumber(said),
    said.queues.total,
    innerNumber(said),
  ];
  const [mine, other] = [weigh(a), weigh(b)];
  const at = mine.findIndex((part, i) => part !== other[i]);
  return at >= 0 && (mine[at] ?? 0) > (other[at] ?? 0);
}
