import { groupChangeSchema } from '@/lib/contract/dead';
import { groupParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

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
