import { Sparkline } from '@/components/ui/sparkline';
import type { Group } from '@/lib/contract/search/search-schemas';
import { isOfLastHour, trendLabel } from '../labels';

/**
 * Deaths of a failure group: of the last hour where it has most of them, else by the hour of a day. The hour under way has only begun:
 * where it would look like a fall, it is left out.
 */
export function DeathTrend({
  group,
  width,
  height,
}: {
  group: Pick<Group, 'trend' | 'lastHour'>;
  width: number;
  height?: number;
}) {
  const { trend, lastHour } = group;
  const isFall = (trend.at(-1) ?? 0) < (trend.at(-2) ?? 0);
  const isShort = isOfLastHour(group);
  return (
    <span className="flex items-end gap-1.5">
      <Sparkline
        points={isShort ? (lastHour ?? []) : isFall ? trend.slice(0, -1) : trend}
        label={trendLabel(group)}
        color="var(--state-dead)"
        width={width}
        height={height}
      />
      <span className="text-2xs text-faint">{isShort ? '1 h' : `${trend.length} h`}</span>
    </span>
  );
}
