/** Alerts that were sent, for the marks of charts. */

import { ENDED_ALERTS_MAX } from '@/lib/contract/alerts/alert-limits';
import { type Alert, alertSchema } from '@/lib/contract/alerts/alert-schemas';
import type { BrokerContext } from '../redis/broker-context';
import { parseJsonRow } from '../redis/parse-json';
import { shownAlert } from './alert-records';
import { readLiveAlerts } from './alert-state';

/** Those that stand, and those that ended since. Charts show some of them, and cut them after they chose. @param since ms since 1970 */
export async function readFiredAlerts(ctx: BrokerContext, since: number): Promise<Alert[]> {
  const [live, ended] = await Promise.all([
    readLiveAlerts(ctx),
    ctx.plain((redis) =>
      redis.xrevrange(ctx.keys.global('alertsEnded'), '+', String(since), 'COUNT', ENDED_ALERTS_MAX),
    ),
  ]);
  const over = ended.flatMap(([, fields]) => parseJsonRow(alertSchema, fields[1]) ?? []);
  return [...live.map(shownAlert), ...over].filter(({ firedAt }) => firedAt !== null);
}
