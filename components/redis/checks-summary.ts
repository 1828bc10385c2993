/** What all checks come to, as the page says it first. */
import type { RedisChecks } from '@/lib/contract/redis/redis-check-schemas';
import type { CheckVerdict } from '@/lib/contract/redis/redis-check-verdicts';
import { count, listed } from '@/lib/format/plural';

export interface ChecksSummary {
  readonly tone: 'bad' | 'warn' | 'info' | 'good';
  readonly title: string;
  readonly text: string;
}

export function summarizeChecks({ servers }: Pick<RedisChecks, 'servers'>): ChecksSummary {
  const all = servers.flatMap((server) => server.checks);
  const countOf = (verdict: CheckVerdict) => all.filter((check) => check.verdict === verdict).length;
  const [bad, warn, unknown] = [countOf('bad'), countOf('warn'), countOf('unknown')];
  const parts = [
    // The rows keep their places: those that became bad later are named here.
    bad > 0 &&
      `${count(bad, 'problem')} (${listed([...new Set(all.flatMap((check) => (check.verdict === 'bad' ? check.title : [])))])})`,
    warn > 0 && count(warn, 'warning'),
    unknown > 0 && `${count(unknown, 'check')} that this Redis user cannot make`,
  ].filter(Boolean);
  const text = parts.length === 0 ? `${count(all.length, 'check')}, nothing to do.` : `${parts.join(', ')}.`;
  if (bad > 0)
    return {
      tone: 'bad',
      title: all.every(({ verdict, topic }) => verdict !== 'bad' || topic === 'security')
        ? 'Strangers may reach this Redis'
        : 'This Redis can lose jobs or lock workers out',
      text: `${text} The overview reports trouble that arises while jobs run; how Redis is set up is reported here.`,
    };
  if (unknown > 0)
    return {
      tone: warn > 0 ? 'warn' : 'info',
      title: `No problem found, but ${unknown} of ${count(all.length, 'check')} cannot be told`,
      text,
    };
  return { tone: warn > 0 ? 'warn' : 'good', title: 'This Redis is fit for jobs', text };
}
