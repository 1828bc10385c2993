/** Schedules: recurring jobs. One job an occurrence, however many processes tick. */

export {
  type CheckSchedule,
  changeSchedule,
  createSchedule,
  deleteSchedule,
  pauseSchedule,
  previewSchedule,
  resumeSchedule,
  runSchedule,
} from './manage-schedules';
export { shownSchedule } from './schedule-redaction';
export type { TickBroker } from './schedule-verbs';
export { type TickResult, tickSchedules } from './tick-schedules';
