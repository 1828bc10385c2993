/** How many connections one place may hold, so that nobody can hold all of them and shut everybody else out. */
import { clientAddress, placeOf } from './address.mjs';

/** In all: 500 live streams, and room for everybody's other requests. */
export const CONNECTIONS_MAX = 2_000;
/** Of one place: all streams there can be, and requests beside them. */
export const CONNECTIONS_PER_PLACE_MAX = 600;

/**
 * Not behind a proxy: everybody comes from there, and the proxy has to see to it.
 * @param {import('node:http').Server} server @param {{trustProxy: number}} settings
 */
export function limitConnections(server, { trustProxy }) {
  server.maxConnections = CONNECTIONS_MAX;
  if (trustProxy > 0) return;
  /** @type {Map<string, number>} */
  const held = new Map();
  server.on('connection', (socket) => {
    const place = placeOf(clientAddress(socket.remoteAddress, undefined, 0));
    const count = held.get(place) ?? 0;
    if (count >= CONNECTIONS_PER_PLACE_MAX) return socket.destroy();
    held.set(place, count + 1);
    socket.once('close', () => {
      const left = (held.get(place) ?? 1) - 1;
      if (left === 0) held.delete(place);
      else held.set(place, left);
    });
  });
}
