/** Host names of this machine itself: only its own programs and users reach them. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;

/** @param hostname without a port */
export const isLoopbackHost = (hostname: string): boolean => LOOPBACK.test(hostname);
