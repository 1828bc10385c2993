/** The other client itself, on a thread of its own: what the operator's process is busy with must not look like Redis's delay. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const EVERY_MS = 2;
/** @type {{ path: string }} */
const { path } = workerData;
const socket = connect(path);
socket.setNoDelay();
/** @type {number[]} */
const tookMs = [];
let stopped = false;

const ping = () =>
  new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('data', () => {
      socket.off('error', reject);
      resolve(undefined);
    });
    socket.write('PING\r\n');
  });

parentPort?.once('message', () => {
  stopped = true;
});
while (!stopped) {
  const startMs = performance.now();
  await ping();
  tookMs.push(performance.now() - startMs);
  await sleep(EVERY_MS);
}
socket.destroy();
parentPort?.postMessage(tookMs);
