/** The types that people read are those that the schemas check: `tsc` fails where they differ. */
import { expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { pauseSchema } from './pause-schemas';
import type { queueSnapshotSchema } from './queue-schemas';
import type { Pause, QueueSnapshot } from './snapshot-types';

it('a queue at a glance has the shape that is checked', () => {
  expectTypeOf<z.output<typeof queueSnapshotSchema>>().toEqualTypeOf<QueueSnapshot>();
  expectTypeOf<z.output<typeof pauseSchema>>().toEqualTypeOf<Pause>();
});
