import { CircleSlash, CircleStop, Hourglass, type LucideIcon, Play, ZapOff } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/tone';
import type { Worker } from '@/lib/contract/workers';

const LOOK: Readonly<
  Record<Worker['status'], { word: string; tone: Tone; Icon: LucideIcon; meaning: string }>
> = {
  running: { word: 'Running', tone: 'good', Icon: Play, meaning: 'Claims and runs jobs' },
  draining: {
    word: 'Draining',
    tone: 'accent',
    Icon: Hourglass,
    meaning: 'Claims no more; lets its jobs finish',
  },
  lost: {
    word: 'Lost',
    tone: 'warn',
    Icon: CircleSlash,
    meaning: 'Silent for longer than a heartbeat may take; its jobs return when their leases run out',
  },
  crashed: { word: 'Crashed', tone: 'bad', Icon: ZapOff, meaning: 'Its process ended without stopping' },
  stopped: { word: 'Stopped', tone: 'neutral', Icon: CircleStop, meaning: 'Ended as asked' },
};

export function WorkerBadge({ status }: { status: Worker['status'] }) {
  const { word, tone, Icon, meaning } = LOOK[status];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />} title={meaning}>
      {word}
    </Badge>
  );
}
