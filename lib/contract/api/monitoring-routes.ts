/** Routes of the HTTP API: monitoring. */
import { metricsQuerySchema, statsQuerySchema, statsSchema } from '../queues/queue-schemas';
import { redisChecksSchema } from '../redis/redis-check-schemas';
import { readinessSchema } from '../request-schemas';
import { describeRoute } from './describe-route';

export const monitoringRoutes = {
  getReadiness: describeRoute({
    method: 'GET',
    path: '/readyz',
    summary: 'Whether the console can serve: 503 if not',
    permission: 'public',
    reads: 'small',
    reply: readinessSchema,
  }),
  getRedisChecks: describeRoute({
    method: 'GET',
    path: '/api/v1/redis',
    summary: 'Whether this Redis is fit for jobs: every check with verdict, reason and fix',
    permission: 'view',
    reads: 'small',
    reply: redisChecksSchema,
  }),
  getMetrics: describeRoute({
    method: 'GET',
    path: '/metrics',
    summary: 'Read the metrics of all queues for Prometheus',
    permission: 'view',
    reads: 'large',
    query: metricsQuerySchema,
    reply: { content: ['text/plain'] },
  }),
  getStats: describeRoute({
    method: 'GET',
    path: '/stats',
    summary: 'Read the depths and totals of all queues',
    permission: 'view',
    reads: 'large',
    query: statsQuerySchema,
    reply: statsSchema,
    errors: ['BAD_CURSOR'],
  }),
  getOpenApi: describeRoute({
    method: 'GET',
    path: '/api/v1/openapi.json',
    summary: 'Read this description',
    permission: 'signed-in',
    reads: 'small',
    reply: { content: ['application/json'] },
  }),
};
