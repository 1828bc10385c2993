import { accessRoutes } from '@/lib/contract/api/access-routes';
import { signInOptions } from '@/lib/server/authentication/sign-in-methods';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

/** What the sign-in page offers. Open to all: it is asked before anybody is known. */
export const GET = route(accessRoutes.getSignInOptions, { handle: async () => signInOptions() });

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
