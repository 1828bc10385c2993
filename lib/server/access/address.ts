/** Where a request came from. The HTTP server in front finds out, and what clients say of themselves never gets here. */
export { addressOf } from '../border';
