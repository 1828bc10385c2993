/** Requests to receivers, against real servers on loopback. */
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AlertReceiver, startAlertReceiver } from '@/testing/alerts/alert-receiver';
import { makeCertificates } from '@/testing/worlds/certificates';
import { AlertSendError } from './alert-send-error';
import { type SendOptions, sendRequest } from './outgoing-request';

let receiver: AlertReceiver;
beforeEach(async () => {
  receiver = await startAlertReceiver();
});
afterEach(() => receiver.stop());

const NOW = Date.UTC(2026, 0, 1);
const post = (options: Partial<SendOptions> = {}, url = `${receiver.url}/hook`): Promise<void> =>
  sendRequest(
    { method: 'POST', url, body: '{"a":"ü"}' },
    { allowedHosts: [receiver.host], now: NOW, ...options },
  );

async function errorOf(promise: Promise<void>): Promise<AlertSendError> {
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(AlertSendError);
  return error as AlertSendError;
}

describe('a receiver that takes it', () => {
  it('gets the body as it is, with its length in bytes', async () => {
    await post();
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        path: '/hook',
        body: '{"a":"ü"}',
        headers: { 'content-length': '10', 'user-agent': 'Redrive' },
      },
    ]);
  });

  it('has taken it with its status, however the reply goes on', async () => {
    receiver.answerWith((response) => response.writeHead(200).write('x'));
    await post({ deadlineMs: 300 });
    receiver.answerWith((response) => {
      response.writeHead(202);
      const more = () => {
        if (!response.destroyed && response.write('x'.repeat(65_536))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    });
    await post();
    receiver.answerWith((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy());
    });
    await post();
  });
});

describe('a receiver that does not', () => {
  it.each([
    [400, true],
    [401, false],
    [403, false],
    [404, true],
    [410, true],
    [408, false],
    [429, false],
    [500, false],
    [503, false],
  ])('%i: final is %s', async (status, isFinal) => {
    receiver.answerWith(status);
    const error = await errorOf(post());
    expect(error).toMatchObject({ isFinal, retryAfterMs: null });
    const blame = [401, 403].includes(status)
      ? ': it does not accept the key or the address of the channel'
      : '';
    expect(error.message).toBe(`${receiver.host} answers with ${status}${blame}.`);
  });

  it.each([
    ['7', 7_000],
    [new Date(NOW + 90_000).toUTCString(), 90_000],
    [new Date(NOW - 90_000).toUTCString(), 0],
    ['999999', 3_600_000],
    ['soon', null],
  ])('says with Retry-After %s when to come again', async (header, retryAfterMs) => {
    receiver.answerWith((response) => response.writeHead(429, { 'retry-after': header }).end());
    expect(await errorOf(post())).toMatchObject({ isFinal: false, retryAfterMs });
  });

  it('may say why in one word; more of its reply is not repeated', async () => {
    receiver.answerWith((response) => response.writeHead(404).end('channel_is_archived'));
    expect((await errorOf(post())).message).toBe(`${receiver.host} answers with 404: channel_is_archived.`);
    receiver.answerWith((response) => response.writeHead(403).end('The key s3cret is not valid'));
    expect((await errorOf(post())).message).toBe(
      `${receiver.host} answers with 403: it does not accept the key or the address of the channel.`,
    );
  });

  it.each([301, 302, 303, 307, 308])('%i: a redirect is not followed', async (status) => {
    const other = await startAlertReceiver();
    receiver.answerWith((response) => response.writeHead(status, { location: `${other.url}/` }).end());
    const error = await errorOf(post({ allowedHosts: [receiver.host, other.host] }));
    expect(error).toMatchObject({ isFinal: true });
    expect(error.message).toContain(`a redirect (${status}), which is not followed`);
    expect(other.received).toEqual([]);
    await other.stop();
  });

  it('does not answer, or begins an answer without end: the deadline ends the attempt and the connection', async () => {
    receiver.answerWith(() => {});
    const error = await errorOf(post({ deadlineMs: 300 }));
    expect(error.message).toBe(`${receiver.host} did not answer in time.`);
    expect(error.isFinal).toBe(false);
    await expect.poll(() => receiver.closed).toBe(1);
    receiver.answerWith((response) => response.writeProcessing());
    expect((await errorOf(post({ deadlineMs: 300 }))).message).toContain('did not answer in time');
  });

  it('is not waited for when the console stops', async () => {
    const stop = new AbortController();
    receiver.answerWith(() => stop.abort());
    expect((await errorOf(post({ signal: stop.signal }))).isFinal).toBe(false);
  });

  it('hangs up, or is not there', async () => {
    receiver.answerWith((response) => response.destroy());
    expect((await errorOf(post())).message).toMatch(/cannot be reached \(ECONNRESET\)/);
    await receiver.stop();
    expect((await errorOf(post())).message).toMatch(/cannot be reached \(ECONNREFUSED\)/);
  });
});

describe('addresses that are not public', () => {
  const port = () => receiver.host.split(':')[1];
  const answers =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

  it('are refused before anything is sent', async () => {
    const error = await errorOf(post({ allowedHosts: [] }));
    expect(error.message).toContain(`leads to 127.0.0.1, which is not a public address`);
    expect(error.message).toContain(`add "${receiver.host}" to allowedHosts`);
    expect((await errorOf(post({ allowedHosts: ['127.0.0.1:1'] }))).message).toContain(
      'not a public address',
    );
    expect(receiver.received).toEqual([]);
  });

  it.each([['127.0.0.1'], ['::1'], ['8.8.8.8', '10.0.0.1'], ['169.254.169.254'], ['::ffff:127.0.0.1']])(
    'are refused behind a name, also among others: %s',
    async (...addresses) => {
      const error = await errorOf(
        post({ allowedHosts: [], resolver: answers(...addresses) }, `http://hooks.example.com:${port()}/`),
      );
      expect(error.message).toContain('which is not a public address');
      expect(receiver.received).toEqual([]);
    },
  );

  it('are refused behind localhost, as the system resolves it', async () => {
    const error = await errorOf(post({ allowedHosts: [] }, `http://localhost:${port()}/`));
    expect(error.message).toMatch(/leads to (127\.0\.0\.1|::1), which is not/);
  });

  it.each(['0x7f.1', '2130706433', '0177.0.0.1', '127.1'])(
    'are refused in any notation: %s',
    async (host) => {
      const error = await errorOf(post({ allowedHosts: [] }, `http://${host}:${port()}/`));
      expect(error.message).toContain('leads to 127.0.0.1, which is not a public address');
    },
  );

  it('are allowed by name, with this port or any', async () => {
    for (const allowed of ['hooks.internal', `hooks.internal:${port()}`])
      await post(
        { allowedHosts: [allowed], resolver: answers('127.0.0.1') },
        `http://hooks.internal:${port()}/`,
      );
    expect(receiver.received.map(({ headers }) => headers.host)).toEqual(
      Array(2).fill(`hooks.internal:${port()}`),
    );
  });

  it('cannot come in by a second answer: the checked address is the one connected to', async () => {
    let asked = 0;
    // First an address of a documentation range as if it were public: allowed by name, it cannot be reached. Then loopback.
    const resolver = async () => [{ address: asked++ === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
    const error = await errorOf(
      post({ allowedHosts: ['rebind.example.com'], resolver }, `http://rebind.example.com:${port()}/`),
    );
    expect(error.message).toContain('ECONNREFUSED');
    expect(asked).toBe(1);
    expect(receiver.received).toEqual([]);
  });
});

describe('a name', () => {
  const url = 'https://hooks.example.com/';
  it('without an answer is a sentence, and no reason to give up', async () => {
    const resolver = async () =>
      Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
    expect(await errorOf(post({ resolver }, url))).toMatchObject({
      message: 'hooks.example.com cannot be resolved (ENOTFOUND).',
      isFinal: false,
    });
    expect((await errorOf(post({ resolver: async () => [] }, url))).message).toBe(
      'hooks.example.com has no address.',
    );
  });

  it('whose server does not answer ends with the deadline', async () => {
    const resolver = () => new Promise<never>(() => {});
    expect((await errorOf(post({ resolver, deadlineMs: 200 }, url))).message).toBe(
      'The name server did not answer for hooks.example.com.',
    );
  });
});

describe('TLS', () => {
  it('is checked against the name that is configured', async () => {
    const certificates = await makeCertificates();
    const [cert, key, ca, strangerCa] = await Promise.all(
      [certificates.certFile, certificates.keyFile, certificates.caFile, certificates.strangerCaFile].map(
        (file) => readFile(file, 'utf8'),
      ),
    );
    const secure = await startAlertReceiver({ cert: cert ?? '', key: key ?? '' });
    const port = secure.host.split(':')[1];
    const resolver = async () => [{ address: '127.0.0.1', family: 4 }];
    const allowedHosts = [secure.host, 'localhost', 'other.example.com'];
    try {
      await post({ allowedHosts, ca }, secure.url);
      await post({ allowedHosts, ca, resolver }, `https://localhost:${port}/`);
      expect(secure.received).toHaveLength(2);
      const wrongName = post({ allowedHosts, ca, resolver }, `https://other.example.com:${port}/`);
      expect((await errorOf(wrongName)).message).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
      const stranger = post({ allowedHosts, ca: strangerCa }, secure.url);
      expect((await errorOf(stranger)).message).toContain('cannot be reached');
      await errorOf(post({ allowedHosts }, secure.url));
      expect(secure.received).toHaveLength(2);
    } finally {
      await secure.stop();
      await certificates.remove();
    }
  });
});
