/** Schemas of job states and error classes. */
import { z } from 'zod';
import { ERROR_CLASSES } from './error-classes';
import { JOB_STATES, type JobState } from './job-states';

export const errorClassSchema = z.enum(ERROR_CLASSES);

export const jobStateSchema = z.enum(JOB_STATES);

const COUNT_OF_STATE = Object.fromEntries(JOB_STATES.map((state) => [state, z.number().int()]));
/** An object: generators of clients make members of its properties, and a state of a newer console is passed over. */
export const stateCountsSchema = z.object(COUNT_OF_STATE as Record<JobState, z.ZodNumber>);
