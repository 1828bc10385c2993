import { z } from 'zod';
import { JOB_ACTIONS } from '@/lib/contract/job';
import { actOnJob } from '@/lib/server/job-actions';
import { actionParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

export const POST = route({
  // Each action needs a permission of its own.
  permission: 'signed-in',
  rate: 'work',
  records: ({ action }) => Object.hasOwn(JOB_ACTIONS, action),
  params: actionParams,
  body: z.unknown(),
  exact: ['result'],
  handle: ({ broker, params: { queue, id, action }, body }) => actOnJob(broker, queue, id, action, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
