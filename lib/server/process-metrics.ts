/** Metrics of this process alone: what Node tells, and how it answers requests. */
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { singleton } from './singleton';

/** Few: each route, method and class of status has all of them. */
const BOUNDS_SECONDS = [0.01, 0.05, 0.25, 1, 5];

export const processMetrics = singleton('metrics', () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'redrive_http_request_duration_seconds',
    help: 'From request to the begin of the answer, by route of the API, method and class of status',
    labelNames: ['route', 'method', 'status'],
    buckets: BOUNDS_SECONDS,
    registers: [registry],
  });
  return { registry, requests };
});
