/** The built console as a process of its own, with people who sign in by password, asked over real sockets. Needs the build. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { paths } from '@/lib/contract/api-paths';
import { until } from '../poll';
import { type Processes, portFree, type Spawned } from './processes';

const ROOT = join(import.meta.dirname, '../..');
/** The cheapest that is accepted: it is the console that is tested, and not how long a hash takes. */
const CHEAP = {
  memoryCost: 4_096,
  timeCost: 1,
  parallelism: 1,
  outputLen: 32,
};

export interface TestUser {
  readonly name: string;
  readonly password: string;
  readonly grants: readonly Partial<Grant>[];
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  json(): Record<string, unknown>;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  /** An object is sent as JSON. */
  readonly body?: unknown;
}

export interface RealConsole {
  readonly url: string;
  readonly port: number;
  readonly process: Spawned;
  /** Exactly this path, which no URL parser has tidied up. */
  ask(path: string, options?: AskOptions): Promise<Answer>;
  /** Signs in by password; headers that carry the session. */
  signIn(user: TestUser): Promise<{ cookie: string }>;
  /** Sends these bytes and gives what comes back until the connection ends. */
  raw(bytes: string): Promise<string>;
}

export async function startRealConsole(
  processes: Processes,
  options: {
    redisUrl: string;
    users?: readonly TestUser[];
    env?: Record<string, string | undefined>;
    name?: string;
    /** Of a console before it; left out: a free one. */
    port?: number;
    /** In place of the console of this clone. */
    program?: { command: string; args: string[]; cwd: string };
  },
): Promise<RealConsole> {
  const { redisUrl, users = [], env = {}, name = 'the console' } = options;
  const port = options.port ?? (await portFree());
  const rows = users.map(async (user) => ({
    // The same user after another start, whose hash has another salt.
    id: user.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    name: user.name,
    hash: await hash(user.password, CHEAP),
    grants: user.grants,
  }));
  const { command, args, cwd } = options.program ?? {
    command: process.execPath,
    args: ['scripts/serve.mjs'],
    cwd: ROOT,
  };
  const child = processes.spawn(command, args, {
    name,
    cwd,
    env: {
      REDIS_URL: redisUrl,
      HOST: '127.0.0.1',
      PORT: String(port),
      AUTH: users.length > 0 ? 'local' : 'none',
      // A test asks faster than a person, and the machine decides how much faster. What tests the limits sets its own.
      REDRIVE_RATE_FACTOR: '50',
      ...(users.length > 0 ? { REDRIVE_USERS: JSON.stringify({ users: await Promise.all(rows) }) } : {}),
      ...env,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const ask = (path: string, asked: AskOptions = {}) => askAt(port, path, asked);
  await until(
    async () => {
      if (!child.running()) throw new Error(`it has ended: ${child.output()}`);
      return (await ask('/healthz')).status === 200;
    },
    { what: `${name} to answer`, timeoutMs: 60_000, everyMs: 100 },
  );
  return {
    url,
    port,
    process: child,
    ask,
    raw: (bytes) => rawAt(port, bytes),
    async signIn(user) {
      const body = { name: user.name, password: user.password };
      const answer = await ask(paths.session(), { method: 'POST', body });
      const [cookie] = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '');
      if (!cookie) throw new Error(`${user.name} was not let in: ${answer.status} ${answer.text}`);
      return { cookie };
    },
  };
}

function askAt(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: AskOptions,
): Promise<Answer> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        agent: false,
        timeout: 20_000,
        headers: {
          ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}),
          ...(text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }),
          ...headers,
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const answer = Buffer.concat(parts).toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: answer,
            json: () => JSON.parse(answer) as Record<string, unknown>,
          });
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${path} was not answered in 20 s`)));
    sent.on('error', reject);
    sent.end(text);
  });
}

function rawAt(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let text = '';
    socket.setTimeout(20_000, () => socket.destroy(new Error('no answer in 20 s')));
    socket.on('data', (part) => {
      text += part.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
    socket.write(bytes, 'latin1');
  });
}
