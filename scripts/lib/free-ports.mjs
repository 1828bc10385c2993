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
 * between this check and the server that will listen there.
 */
const PORTS = { from: 15_000, count: 17_000 };
const TRIES = 100;
/** Never the same twice from one process: who was given one may not listen yet. @type {Set<number>} */
const given = new Set();

/** @returns {Promise<number>} a free port */
export async function freePort() {
  for (let i = 0; i < TRIES; i++) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.count);
    if (given.has(port) || (await whyNotListen(LOOPBACK, port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`No port is free between ${PORTS.from} and ${PORTS.from + PORTS.count}.`);
}

/** The name is unknown, or belongs to another machine. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL']);
/** For a HOST that is none. */
export const HOST_OF_A_SHELL =
  'Some shells set HOST by themselves (conda, tcsh): run `unset HOST`, or set HOST=127.0.0.1 or HOST=0.0.0.0.';

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
      else if (NO_ADDRESS.has(error.code ?? ''))
        resolve(`HOST is ${host}, which is no address of this machine. ${HOST_OF_A_SHELL}`);
      else resolve(`Cannot listen on ${httpUrl(host, port)}: ${error.message}.`);
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/**
 * Connects, and answers true once `onConnect` calls its second argument.
 * @param {net.NetConnectOpts} where @param {number} timeoutMs
 * @param {(socket: net.Socket, end: (answer: boolean) => void) => void} onConnect @returns {Promise<boolean>}
 */
function probe(where, timeoutMs, onConnect) {
  return new Promise((resolve) => {
    const socket = net.connect(where);
    const end = (/** @type {boolean} */ answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => end(false));
    socket.once('error', () => end(false));
    socket.once('connect', () => onConnect(socket, end));
  });
}

/**
 * PING on a TCP port or a unix socket; false while the server still loads its data.
 * @param {{port?: number, path?: string}} where
 */
export const redisAnswers = ({ port, path }) =>
  probe(path ? { path } : { port: Number(port), host: LOOPBACK }, 1_000, (socket, end) => {
    socket.once('data', (data) => end(data.toString().startsWith('+PONG')));
    socket.write('PING\r\n');
  });

/** Whether a server accepts connections there: behind TLS or a password it does not answer a bare PING. @param {{port: number, host: string}} where */
export const accepts = (where) => probe(where, 3_000, (_, end) => end(true));
