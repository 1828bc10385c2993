/** The types that people read are those that the schemas check: `tsc` fails where they differ. */
import { expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { HeldJob, WorkersPage } from './reported-worker';
import type { PendingRequest, pendingRequestSchema } from './worker-requests';
import type { heldJobSchema, workersPageSchema } from './worker-schemas';

it('workers have the shape that is checked', () => {
  expectTypeOf<z.output<typeof workersPageSchema>>().toEqualTypeOf<WorkersPage>();
  expectTypeOf<z.output<typeof heldJobSchema>>().toEqualTypeOf<HeldJob>();
  expectTypeOf<z.output<typeof pendingRequestSchema>>().toEqualTypeOf<PendingRequest>();
});
