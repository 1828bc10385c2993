/** Schemas of job states and error classes. */
import { z } from 'zod';
import { ERROR_CLASSES } from './error-classes';
import { JOB_STATES } from './job-states';

export const errorClassSchema = z.enum(ERROR_CLASSES);

export const jobStateSchema = z.enum(JOB_STATES);

export const stateCountsSchema = z.record(jobStateSchema, z.number().int());
