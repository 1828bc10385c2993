import { Sparkline } from '@/components/ui/sparkline';
import { trendLabel } from '../labels';

/** Deaths of a failure group by the hour. The hour under way has only begun: where it would look like a fall, it is left out. */
export function DeathTrend({
  trend,
  width,
  height,
}: {
  trend: readonly number[];
  width: number;
  height?: number;
}) {
  const isFall = (trend.at(-1) ?? 0) < (trend.at(-2) ?? 0);
  return (
    <Sparkline
      points={isFall ? trend.slice(0, -1) : trend}
      label={trendLabel(trend)}
      color="var(--state-dead)"
      width={width}
      height={height}
    />
  );
}
