/** The largest body of an API request. Without zod: the front server, which refuses larger bodies, is one small file. */
export const BODY_MAX_BYTES = 1024 * 1024;
export const BODY_TOO_LARGE = `The body is larger than ${BODY_MAX_BYTES} bytes. Split it, or use payloadRef for large data.`;
