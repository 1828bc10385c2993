import type { Principal } from '../access/principal';

/** Who is asked before anybody signed in: holds nothing, so every verb refuses. */
export const NOBODY: Principal = {
  id: 'nobody',
  name: 'nobody',
  chosen: false,
  way: 'none',
  grants: [],
  via: null,
  address: 'unknown',
  provedUntil: null,
  expiresAt: null,
};
