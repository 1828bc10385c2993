import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'audit',
  rate: 'search',
  handle: ({ broker }) => broker.audit.check(),
});
