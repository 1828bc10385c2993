import { groupChangeSchema } from '@/lib/contract/search/search-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { groupParams } from '@/lib/server/http/path-params';

export const GET = route({
  permission: 'view',
  rate: 'search',
  params: groupParams,
  handle: ({ broker, params }) => broker.dead.group(params.group),
});

export const PATCH = route({
  permission: 'operate',
  params: groupParams,
  body: groupChangeSchema,
  handle: ({ broker, params, body }) => broker.dead.changeGroup(params.group, body),
});

export const { POST, PUT, DELETE } = refuseMethods('GET', 'PATCH');
