/** The types that people read are those that the schemas check: `tsc` fails where they differ. */
import { expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { schedulePatchSchema, scheduleRequestSchema, scheduleSchema } from './schedule-schemas';
import type { Schedule, SchedulePatch, ScheduleRequest } from './schedule-types';

it('schedules have the shape that is checked', () => {
  expectTypeOf<z.output<typeof scheduleSchema>>().toEqualTypeOf<Schedule>();
  expectTypeOf<z.input<typeof scheduleRequestSchema>>().toExtend<ScheduleRequest>();
  expectTypeOf<ScheduleRequest>().toExtend<z.input<typeof scheduleRequestSchema>>();
  expectTypeOf<keyof ScheduleRequest>().toEqualTypeOf<keyof z.input<typeof scheduleRequestSchema>>();
  expectTypeOf<z.input<typeof schedulePatchSchema>>().toExtend<SchedulePatch>();
  expectTypeOf<SchedulePatch>().toExtend<z.input<typeof schedulePatchSchema>>();
  expectTypeOf<keyof SchedulePatch>().toEqualTypeOf<keyof z.input<typeof schedulePatchSchema>>();
});
