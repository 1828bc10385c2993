import { HistoryPanel } from '@/components/shared/history/history-panel';
import { WORKER_CHARTS } from '@/components/shared/history/history-series';

/** The past of all workers. */
export const WorkersHistory = ({ isReady }: { isReady: boolean }) => (
  <HistoryPanel title="Workers and their failures" isReady={isReady} charts={WORKER_CHARTS} />
);
