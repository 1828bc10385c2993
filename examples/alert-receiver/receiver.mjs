// A receiver of Redrive's signed alerts, without packages: node receiver.mjs PORT, with the channel's secret in ALERT_SECRET.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const SECRET = process.env.ALERT_SECRET ?? '';
const MAX_AGE_SECONDS = 300;
const MAX_BYTES = 256 * 1024;
/** Ids of messages, so that a repeated one counts once; the oldest goes first. */
const seen = new Set();

function isGenuine(timestamp, signature, body) {
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > MAX_AGE_SECONDS)
    return false;
  const digest = createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest('hex');
  const [expected, given] = [Buffer.from(`v1=${digest}`), Buffer.from(signature)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

async function bodyOf(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

if (SECRET === '') throw new Error('Set ALERT_SECRET to the secret of the channel.');
const server = createServer(async (request, response) => {
  try {
    const body = await bodyOf(request);
    const { 'redrive-timestamp': timestamp = '', 'redrive-signature': signature = '' } = request.headers;
    if (!isGenuine(timestamp, signature, body)) {
      response.writeHead(401).end();
      return;
    }
    const { id, event, alert } = JSON.parse(body.toString('utf8'));
    if (!seen.has(id)) {
      seen.add(id);
      if (seen.size > 1000) seen.delete(seen.values().next().value);
      console.log(event, alert.code, alert.sentence);
    }
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
});
server.listen(Number(process.argv[2]), '127.0.0.1', () =>
  console.log(`listening on ${server.address().port}`),
);
