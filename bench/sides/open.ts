import { openBee } from './bee';
import { openBullMq } from './bullmq';
import { openLean } from './lean';
import { openOurs } from './ours';
import type { OpenSide, SideName } from './side';

export const OPEN: Record<SideName, OpenSide> = {
  ours: openOurs,
  bullmq: openBullMq,
  beeQueue: openBee,
  lean: openLean,
};
