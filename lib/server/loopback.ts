/** Names of the machine the console runs on: what listens there, only its own programs and people reach. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;

export const isLoopbackHost = (hostname: string): boolean => LOOPBACK.test(hostname);
