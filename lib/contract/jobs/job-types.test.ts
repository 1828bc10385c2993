/** The types that people read are those that the schemas check: `tsc` fails where they differ. */
import { expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { enqueueResultSchema, enqueueSchema, envelopeSchema } from './envelope';
import type { jobDetailSchema } from './job-schemas';
import type { EnqueueInput, EnqueueResult, Envelope, JobDetail } from './job-types';

it('jobs have the shape that is checked', () => {
  expectTypeOf<z.output<typeof envelopeSchema>>().toEqualTypeOf<Envelope>();
  expectTypeOf<z.output<typeof jobDetailSchema>>().toEqualTypeOf<JobDetail>();
  expectTypeOf<z.output<typeof enqueueResultSchema>>().toEqualTypeOf<EnqueueResult>();
  expectTypeOf<z.input<typeof enqueueSchema>>().toExtend<EnqueueInput>();
  expectTypeOf<EnqueueInput>().toExtend<z.input<typeof enqueueSchema>>();
  expectTypeOf<keyof EnqueueInput>().toEqualTypeOf<keyof z.input<typeof enqueueSchema>>();
});
