/** The types that people read are those that the schemas check: `tsc` fails where they differ. */
import { expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { configPatchSchema, configReplySchema, queueConfigSchema, shardingSchema } from './queue-config';
import type { ConfigPatch, ConfigReply, QueueConfig, Sharding } from './queue-settings';

it('settings have the shape that is checked', () => {
  expectTypeOf<z.output<typeof queueConfigSchema>>().toEqualTypeOf<QueueConfig>();
  expectTypeOf<z.output<typeof configReplySchema>>().toEqualTypeOf<ConfigReply>();
  expectTypeOf<z.output<typeof shardingSchema>>().toEqualTypeOf<Sharding>();
  expectTypeOf<ConfigPatch>().toExtend<z.input<typeof configPatchSchema>>();
  expectTypeOf<Required<z.input<typeof configPatchSchema>>>().toExtend<Required<ConfigPatch>>();
  expectTypeOf<keyof z.input<typeof configPatchSchema>>().toEqualTypeOf<keyof ConfigPatch>();
});
