import { Badge } from '@/components/ui/badge';
import {
  CirclePause,
  CircleSlash,
  CircleStop,
  Hourglass,
  type Icon,
  Play,
  ZapOff,
} from '@/components/ui/icons';
import type { Tone } from '@/components/ui/tone';
import type { Worker } from '@/lib/contract/workers/worker-schemas';

const LOOK: Readonly<Record<Worker['status'], { word: string; tone: Tone; Icon: Icon; meaning: string }>> = {
  running: { word: 'Running', tone: 'good', Icon: Play, meaning: 'Claims and runs jobs' },
  quiet: {
    word: 'Quiet',
    tone: 'warn',
    Icon: CirclePause,
    meaning: 'Claims no new jobs until a user resumes it; finishes the jobs in flight',
  },
  draining: {
    word: 'Draining',
    tone: 'accent',
    Icon: Hourglass,
    meaning: 'Claims no new jobs; finishes the jobs in flight',
  },
  lost: {
    word: 'Lost',
    tone: 'warn',
    Icon: CircleSlash,
    meaning: 'Heartbeat lost; its jobs return when their leases expire',
  },
  crashed: { word: 'Crashed', tone: 'bad', Icon: ZapOff, meaning: 'Its process ended without stopping' },
  stopped: { word: 'Stopped', tone: 'neutral', Icon: CircleStop, meaning: 'Stopped on request' },
};

export function WorkerBadge({ status }: { status: Worker['status'] }) {
  const { word, tone, Icon, meaning } = LOOK[status];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />} title={meaning}>
      {word}
    </Badge>
  );
}
