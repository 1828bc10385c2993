/** Loaded into the console that is watched: says on a unix socket how much memory it holds after a collection. */
import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { heapNow } from './heap-size';

const socket = process.env.SOAK_HEAP_SOCKET;
if (socket && isMainThread)
  createServer((connection) => {
    connection.on('error', () => undefined);
    heapNow().then(
      (heap) => connection.end(JSON.stringify(heap)),
      (error: Error) => connection.destroy(error),
    );
  })
    .listen(socket)
    .unref();
