import { personAccessChangeSchema } from '@/lib/contract/access';
import { personIdParams } from '@/lib/server/access/params';
import { changePerson } from '@/lib/server/access/people';
import { actor } from '@/lib/server/guarded/caller';
import { refuseMethods, route } from '@/lib/server/route';

export const PATCH = route({
  permission: 'signed-in',
  changesRights: true,
  params: personIdParams,
  body: personAccessChangeSchema,
  handle: (input) => changePerson(input.principal, input.params.id, input.body, actor(input, input.body)),
});

export const { GET, POST, PUT, DELETE } = refuseMethods('PATCH');
