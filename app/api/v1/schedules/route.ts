import { pageQuerySchema } from '@/lib/contract/api';
import { scheduleRequestSchema } from '@/lib/contract/schedules';
import { route } from '@/lib/server/route';
import { actorOf, createSchedule, schedulesPage } from '@/lib/server/schedules';

export const GET = route({
  permission: 'view',
  query: pageQuerySchema.strict(),
  handle: ({ query }) => schedulesPage(query.limit, query.cursor),
});

export const POST = route({
  permission: 'operate',
  body: scheduleRequestSchema,
  status: 201,
  handle: (input) => createSchedule(input.body, actorOf(input)),
});
