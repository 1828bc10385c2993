/** Mails to a real SMTP server on loopback. */
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { alertMessage } from '@/testing/alerts/sample-alert-message';
import { type Certificates, makeCertificates } from '@/testing/worlds/certificates';
import { alertConfigSchema } from '../settings/alert-config-schema';
import { AlertSendError } from './alert-send-error';
import { type SendOptions, sendAlert } from './send-alert';
import { transportOptions } from './send-mail';

interface Mail {
  readonly from: string;
  readonly to: string[];
  readonly user: string | undefined;
  readonly isSecure: boolean;
  readonly head: string;
  readonly body: string;
}
let certificates: Certificates;
let ca: string;
let tls: { cert: string; key: string };
beforeAll(async () => {
  certificates = await makeCertificates();
  const read = (file: string) => readFile(file, 'utf8');
  ca = await read(certificates.caFile);
  tls = { cert: await read(certificates.certFile), key: await read(certificates.keyFile) };
});
afterAll(() => certificates.remove());

const mails: Mail[] = [];
let stop = async () => {};
afterEach(async () => {
  mails.length = 0;
  await stop();
  stop = async () => {};
});

async function startMailServer(options: SMTPServerOptions = {}): Promise<number> {
  const server = new SMTPServer({
    ...tls,
    authOptional: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'p@ss' ? done(null, { user: username }) : done(new Error('wrong')),
    onData: (stream, { envelope, secure, user }, done) => {
      text(stream).then((raw) => {
        const [head = '', ...body] = raw.split('\r\n\r\n');
        mails.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          user,
          isSecure: secure,
          head,
          body: body.join('\r\n\r\n'),
        });
        done();
      }, done);
    },
    ...options,
  });
  // Connections that end early are what some tests are about.
  server.on('error', () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  stop = () => new Promise((resolve) => server.close(() => resolve()));
  return (server.server.address() as AddressInfo).port;
}

function send(
  smtp: string,
  {
    message = alertMessage(),
    to = ['a@example.com'],
    ...options
  }: Partial<SendOptions> & {
    readonly message?: ReturnType<typeof alertMessage>;
    readonly to?: string[];
  } = {},
): Promise<void> {
  const allowedHosts = options.allowedHosts ?? [new URL(smtp).hostname];
  const { channels } = alertConfigSchema.parse({
    channels: [{ name: 'mail', kind: 'email', smtp, from: 'redrive@example.com', to }],
    // The form is checked in alert-config.test.ts; here, what the sender itself refuses.
    allowedHosts: [new URL(smtp).hostname],
  });
  const [channel] = channels;
  if (channel?.kind !== 'email') throw new Error('not a mail');
  return sendAlert(channel, message, { now: 0, ca, ...options, allowedHosts });
}

async function errorOf(promise: Promise<void>): Promise<AlertSendError> {
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(AlertSendError);
  return error as AlertSendError;
}

describe('a mail', () => {
  it('arrives by STARTTLS with user and password', async () => {
    const port = await startMailServer();
    await send(`smtp://me%40example.com:p%40ss@127.0.0.1:${port}`, {
      to: ['a@example.com', 'b@example.com'],
    });
    expect(mails).toMatchObject([
      {
        from: 'redrive@example.com',
        to: ['a@example.com', 'b@example.com'],
        user: 'me@example.com',
        isSecure: true,
      },
    ]);
    const [{ head = '', body = '' } = {}] = mails;
    expect(head).toContain('Subject: [production] Bad: FAILING in billing');
    expect(head).toContain('Message-ID: <redrive.FAILING-1-fired-1@example.com>');
    expect(head).toContain('Auto-Submitted: auto-generated');
    expect(head).toContain('Content-Type: text/plain');
    expect(body).toContain('40% of runs in billing fail');
  });

  it('arrives by TLS from the start, at a name', async () => {
    const port = await startMailServer({ secure: true });
    const resolver = async () => [{ address: '127.0.0.1', family: 4 }];
    await send(`smtps://localhost:${port}`, { resolver });
    expect(mails).toMatchObject([{ isSecure: true, user: undefined }]);
  });

  it('has no line that words of others added', async () => {
    const port = await startMailServer();
    const evil = 'x\r\nBcc: evil@example.com\r\n\r\nHello \u202ecod.exe';
    await send(`smtp://127.0.0.1:${port}`, {
      message: alertMessage({
        environment: evil,
        alert: { sentence: evil, queues: { total: 1, named: [evil] } },
        id: evil,
      }),
    });
    expect(mails).toHaveLength(1);
    const [{ head = '', to } = {}] = mails;
    expect(to).toEqual(['a@example.com']);
    expect(head).not.toMatch(/^(Bcc|Hello)/im);
  });
});

describe('a mail server', () => {
  it('without TLS gets mails only where it is allowed by name', async () => {
    const port = await startMailServer({ disabledCommands: ['STARTTLS'] });
    await send(`smtp://127.0.0.1:${port}`);
    expect(mails).toMatchObject([{ isSecure: false }]);
    const smtp = 'smtp://mail.example.com';
    const target = { host: 'mail.example.com', port: 587, isSecure: false };
    const isRequired = (...allowedHosts: string[]) =>
      transportOptions({ smtp }, target, { allowedHosts }).requireTLS;
    expect(isRequired()).toBe(true);
    expect(isRequired('mail.example.com:25')).toBe(true);
    expect(isRequired('mail.example.com')).toBe(false);
  });

  it('with a certificate of others, or of another name, gets nothing', async () => {
    const port = await startMailServer({ secure: true });
    const resolver = async () => [{ address: '127.0.0.1', family: 4 }];
    expect((await errorOf(send(`smtps://mail.example.com:${port}`, { resolver }))).isFinal).toBe(false);
    const strangerCa = await readFile(certificates.strangerCaFile, 'utf8');
    await errorOf(send(`smtps://127.0.0.1:${port}`, { ca: strangerCa }));
    expect(mails).toEqual([]);
  });

  it('that refuses the password, the receiver or the mail says so by a number only', async () => {
    const port = await startMailServer({
      onRcptTo: ({ address }, _session, done) =>
        address.startsWith('a')
          ? done()
          : done(Object.assign(new Error(`no ${address}`), { responseCode: 550 })),
    });
    expect(await errorOf(send(`smtp://me:s3cret@127.0.0.1:${port}`))).toMatchObject({
      message: `127.0.0.1:${port} refuses user or password (535): smtp of the channel in REDRIVE_ALERTS.`,
      isFinal: false,
    });
    expect(await errorOf(send(`smtp://127.0.0.1:${port}`, { to: ['b@example.com'] }))).toMatchObject({
      message: `127.0.0.1:${port} refuses the mail (550).`,
      isFinal: true,
    });
    expect(
      await errorOf(send(`smtp://127.0.0.1:${port}`, { to: ['a@example.com', 'b@example.com'] })),
    ).toMatchObject({ message: `127.0.0.1:${port} took the mail for 1 of 2 receivers.`, isFinal: true });
  });

  it('that is busy is tried again', async () => {
    const port = await startMailServer({
      onMailFrom: (_address, _session, done) =>
        done(Object.assign(new Error('later'), { responseCode: 451 })),
    });
    expect(await errorOf(send(`smtp://127.0.0.1:${port}`))).toMatchObject({
      message: `127.0.0.1:${port} refuses the mail (451).`,
      isFinal: false,
    });
  });

  it('that says nothing, or is not there, ends with a sentence', async () => {
    const silent: Server = createServer(() => {});
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    const { port } = silent.address() as AddressInfo;
    const late = await errorOf(send(`smtp://127.0.0.1:${port}`, { deadlineMs: 300 }));
    expect(late).toMatchObject({ message: `127.0.0.1:${port} did not answer in time.`, isFinal: false });
    await new Promise<void>((resolve) => {
      silent.close(() => resolve());
    });
    const gone = await errorOf(send(`smtp://127.0.0.1:${port}`));
    expect(gone.message).toBe(`127.0.0.1:${port} cannot be reached (ECONNREFUSED).`);
  });
});
