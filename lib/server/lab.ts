import { readEnv } from './env';

/** Whether the lab, which can crash the demo worker, is offered at all. */
export const labEnabled = (): boolean => readEnv(process.env).REDRIVE_LAB === 'on';
