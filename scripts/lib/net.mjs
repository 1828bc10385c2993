/** Ports and first contact, with Node built-ins only. */
import net from 'node:net';

export const LOOPBACK = '127.0.0.1';

/** @param {string} host */
export const isLoopback = (host) =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** @param {string} host @param {number | string} port */
export const httpUrl = (host, port) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * Below the ports that systems give to outgoing connections (from 32768 on Linux, 49152 elsewhere), one of which could take a port
 * between our look and whoever is to listen there.
 */
const PORTS = { from: 15_000, count: 17_000 };
const TRIES = 100;
/** Never the same twice from one process: who was given one may not listen yet. @type {Set<number>} */
const given = new Set();

/** @returns {Promise<number>} a port nobody listens on right now */
export async function freePort() {
  for (let i = 0; i < TRIES; i++) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.count);
    if (given.has(port) || (await whyNotListen(LOOPBACK, port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`No port is free between ${PORTS.from} and ${PORTS.from + PORTS.count}.`);
}

/**
 * Why we cannot listen there, as a sentence; undefined when we can. Binding is the only honest test.
 * @param {string} host @param {number} port @returns {Promise<string | undefined>}
 */
export function whyNotListen(host, port) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === 'EADDRINUSE')
        resolve(
          `Port ${port} on ${host} is taken. Stop what listens there, or choose another: PORT=${port + 1}.`,
        );
      else if (error.code === 'EACCES')
        resolve(`Port ${port} needs privileges. Choose one above 1023 with PORT.`);
      else resolve(`Cannot listen on ${httpUrl(host, port)}: ${error.message}.`);
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/**
 * PING on a TCP port or a unix socket; true only once the server says it is ready (not while it still loads its data).
 * @param {{port?: number, host?: string, path?: string}} where @returns {Promise<boolean>}
 */
export function redisAnswers({ port, host = LOOPBACK, path }) {
  return new Promise((resolve) => {
    const socket = path ? net.connect({ path }) : net.connect({ port: Number(port), host });
    const end = (/** @type {boolean} */ answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.once('error', () => end(false));
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => end(data.toString().startsWith('+PONG')));
  });
}

/**
 * Whether anything accepts a connection there. A server behind TLS or a password does not answer a bare PING.
 * @param {{port: number, host: string, timeoutMs?: number}} where @returns {Promise<boolean>}
 */
export function accepts({ port, host, timeoutMs = 3_000 }) {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host });
    const end = (/** @type {boolean} */ answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => end(false));
    socket.once('error', () => end(false));
    socket.once('connect', () => end(true));
  });
}
