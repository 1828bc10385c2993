/** Routes of the HTTP API: operations. */
import { operationJobsSchema, operationSchema, operationsPageSchema } from '../operations/operation';
import { previewSchema } from '../operations/operation-preview';
import {
  operationChangeSchema,
  operationJobsQuerySchema,
  operationRequestSchema,
  previewRequestSchema,
  undoRequestSchema,
} from '../operations/operation-request';
import { actionRequestSchema, operationsQuerySchema } from '../request-schemas';
import { describeRoute } from './describe-route';
import { idParams, operationActionParams } from './path-params';

export const operationRoutes = {
  listOperations: describeRoute({
    method: 'GET',
    path: '/api/v1/operations',
    summary: 'List operations, newest first',
    permission: 'view',
    query: operationsQuerySchema,
    reply: operationsPageSchema,
    errors: ['BAD_CURSOR'],
  }),
  previewOperation: describeRoute({
    method: 'POST',
    path: '/api/v1/operations/preview',
    summary: 'Count the jobs that an operation would change; changes nothing',
    permission: 'operate',
    body: previewRequestSchema,
    reply: previewSchema,
    errors: ['BAD_QUERY', 'QUEUE_NOT_FOUND', 'REAUTHENTICATION_REQUIRED'],
    example: { kind: 'redrive', scope: { q: 'type:mail.*' } },
  }),
  startOperation: describeRoute({
    method: 'POST',
    path: '/api/v1/operations',
    summary: 'Confirm a preview: the operation starts',
    permission: 'operate',
    body: operationRequestSchema,
    reply: operationSchema,
    status: 202,
    errors: ['PREVIEW_STALE', 'LIMIT_REACHED', 'ID_CONFLICT', 'REAUTHENTICATION_REQUIRED'],
  }),
  getOperation: describeRoute({
    method: 'GET',
    path: '/api/v1/operations/{id}',
    summary: 'Read the progress of an operation',
    permission: 'view',
    params: idParams,
    reply: operationSchema,
  }),
  changeOperation: describeRoute({
    method: 'PATCH',
    path: '/api/v1/operations/{id}',
    summary: 'Change the rate or the stop rule of a running operation',
    permission: 'operate',
    params: idParams,
    body: operationChangeSchema,
    reply: operationSchema,
    errors: ['OPERATION_STATE', 'REAUTHENTICATION_REQUIRED'],
    example: { rate: { perSecond: 50 } },
  }),
  controlOperation: describeRoute({
    method: 'POST',
    path: '/api/v1/operations/{id}/{action}',
    summary: 'Pause, resume, cancel, approve or reject an operation',
    permission: 'operate',
    params: operationActionParams,
    body: actionRequestSchema,
    reply: operationSchema,
    errors: ['OPERATION_STATE', 'REAUTHENTICATION_REQUIRED'],
  }),
  undoOperation: describeRoute({
    method: 'POST',
    path: '/api/v1/operations/{id}/undo',
    summary: 'Start the operation that undoes this one',
    permission: 'operate',
    params: idParams,
    body: undoRequestSchema,
    reply: operationSchema,
    status: 202,
    errors: ['BAD_QUERY', 'OPERATION_STATE', 'LIMIT_REACHED', 'REAUTHENTICATION_REQUIRED'],
  }),
  listOperationJobs: describeRoute({
    method: 'GET',
    path: '/api/v1/operations/{id}/jobs',
    summary: 'List the jobs behind a number of an operation',
    permission: 'view',
    params: idParams,
    query: operationJobsQuerySchema,
    reply: operationJobsSchema,
    errors: ['BAD_CURSOR'],
  }),
  downloadOperationFile: describeRoute({
    method: 'GET',
    path: '/api/v1/operations/{id}/file',
    summary: 'Download the file of an export',
    permission: 'operate',
    params: idParams,
    reply: { content: ['application/x-ndjson', 'text/csv'] },
    errors: ['OPERATION_STATE', 'TOO_MANY_STREAMS'],
  }),
};
