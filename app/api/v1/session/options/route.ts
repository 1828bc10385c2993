import { signInOptions } from '@/lib/server/access/ways';
import { refuseMethods, route } from '@/lib/server/route';

/** What the sign-in page offers. Open to all: it is asked before anybody is known. */
export const GET = route({ permission: 'nobody', handle: async () => signInOptions() });

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
