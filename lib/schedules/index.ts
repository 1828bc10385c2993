/** Schedules: jobs that come again and again. Exactly one job a slot, whoever and however many tick. */
export { shownSchedule } from './hidden';
export {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  pauseSchedule,
  previewSchedule,
  resumeSchedule,
  runSchedule,
} from './manage';
export { type TickResult, tickSchedules } from './tick';
export type { SchedulesBroker, TickBroker } from './types';
