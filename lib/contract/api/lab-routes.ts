/** Routes of the HTTP API: lab. */
import {
  labBurstSchema,
  labDrillRequestSchema,
  labEventsQuerySchema,
  labEventsSchema,
  labSamplesQuerySchema,
  labSamplesSchema,
  labSettingsSchema,
  labStateSchema,
} from '../lab/lab-schemas';
import { labBurstReplySchema, reclaimedSchema } from '../request-schemas';
import { describeRoute } from './describe-route';

export const labRoutes = {
  getLab: describeRoute({
    method: 'GET',
    path: '/api/v1/lab',
    summary: 'Read the state of the lab',
    permission: 'view',
    reads: 'small',
    reply: labStateSchema,
  }),
  setLab: describeRoute({
    method: 'PUT',
    path: '/api/v1/lab',
    summary: 'Change the settings of the lab',
    permission: 'operate',
    body: labSettingsSchema,
    reply: labStateSchema,
  }),
  startLabBurst: describeRoute({
    method: 'POST',
    path: '/api/v1/lab/burst',
    summary: 'Enqueue a burst of jobs',
    permission: 'operate',
    body: labBurstSchema,
    reply: labBurstReplySchema,
    status: 202,
    errors: ['LIMIT_REACHED'],
  }),
  controlLabDrill: describeRoute({
    method: 'POST',
    path: '/api/v1/lab/drill',
    summary: 'Start or stop a drill',
    permission: 'operate',
    body: labDrillRequestSchema,
    reply: labStateSchema,
    errors: ['LIMIT_REACHED'],
  }),
  resetLab: describeRoute({
    method: 'POST',
    path: '/api/v1/lab/session',
    summary: 'Count crashes and reclaimed jobs from now on',
    permission: 'operate',
    reply: labStateSchema,
  }),
  reclaimLab: describeRoute({
    method: 'POST',
    path: '/api/v1/lab/reclaim',
    summary: 'Run reclaim sweep in the queues of the lab',
    permission: 'operate',
    reply: reclaimedSchema,
  }),
  listLabEvents: describeRoute({
    method: 'GET',
    path: '/api/v1/lab/events',
    summary: 'Read what happened in the queues of the lab',
    permission: 'view',
    reads: 'small',
    query: labEventsQuerySchema,
    reply: labEventsSchema,
    errors: ['BAD_CURSOR'],
  }),
  listLabSamples: describeRoute({
    method: 'GET',
    path: '/api/v1/lab/samples',
    summary: 'Read the last five minutes of the lab',
    permission: 'view',
    reads: 'small',
    query: labSamplesQuerySchema,
    reply: labSamplesSchema,
  }),
};
