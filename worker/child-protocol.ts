/** The messages between supervisor and child over the IPC channel. */
import { z } from 'zod';
import { labSettingsSchema } from '@/lib/contract/lab/lab-schemas';
import { workerIdSchema } from '@/lib/contract/name-schemas';

export const toChildSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), workerId: workerIdSchema, settings: labSettingsSchema }),
  z.object({ type: z.literal('settings'), settings: labSettingsSchema }),
]);
export type ToChild = z.infer<typeof toChildSchema>;

export const toSupervisorSchema = z.discriminatedUnion('type', [
  /** Listens now: may be told to start. */
  z.object({ type: z.literal('hello') }),
  /** Claims jobs now. */
  z.object({ type: z.literal('ready') }),
]);
export type ToSupervisor = z.infer<typeof toSupervisorSchema>;
