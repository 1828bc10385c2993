/** A real identity provider in its own process, and a browser's part in signing in there: redirects, cookies and its form. */
import { join } from 'node:path';
import { type Processes, portFree, type Spawned } from './processes';

export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly process: Spawned;
  /**
   * Goes to where the console sent the browser, and signs in as `login` if asked. The address it sends the browser back to.
   * @param jar what the provider remembers of this browser: the same one again is signed in already
   */
  signIn(location: string, login: string, jar?: CookieJar): Promise<URL>;
  /** Goes to where the console sent a browser that signs out, and says yes. The address it sends the browser back to. */
  signOut(location: string, jar: CookieJar): Promise<URL>;
  /** The same, up to the form, and then turns away. */
  breakOff(location: string): Promise<URL>;
}

interface Options {
  redirectUris: string[];
  people: { sub: string; name?: string; groups?: unknown; realm_access?: unknown }[];
  groupsInIdToken?: boolean;
  /** What the userinfo endpoint answers. */
  userInfoStatus?: number;
  /** To come back where it was. */
  port?: number;
}

/** As a browser keeps them, for one site whose cookies all go everywhere. */
export class CookieJar {
  private readonly values = new Map<string, string>();

  take(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (/max-age=0\b|expires=Thu, 01 Jan 1970/i.test(line)) this.values.delete(pair.slice(0, at));
      else this.values.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  header(): string {
    return [...this.values].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

interface Step {
  url: URL;
  /** Sent as its form. */
  form?: Record<string, string>;
}

const DEADLINE_MS = 10_000;
const STEPS_MAX = 12;

export async function startIdentityProvider(
  processes: Processes,
  { redirectUris, people, groupsInIdToken = true, userInfoStatus = 200, port }: Options,
): Promise<IdentityProvider> {
  const at = port ?? (await portFree());
  const [clientId, clientSecret] = ['redrive', 'a secret of the test client'];
  const options = { port: at, clientId, clientSecret, redirectUris, people, groupsInIdToken, userInfoStatus };
  const child = processes.node(
    [join(import.meta.dirname, 'identity-provider-server.mjs'), JSON.stringify(options)],
    { name: 'the identity provider', env: { NODE_ENV: 'test' } },
  );
  await child.prints(/ready /, 20_000);
  const issuer = `http://127.0.0.1:${at}`;

  /** Follows redirects, and `answer`s the form, until the provider sends the browser back. */
  async function follow(location: string, jar: CookieJar, answer: (form: URL) => Step): Promise<URL> {
    let step: Step = { url: new URL(location) };
    for (let taken = 0; taken < STEPS_MAX; taken += 1) {
      const { url, form } = step;
      if (url.origin !== issuer) return url;
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: jar.header() },
        signal: AbortSignal.timeout(DEADLINE_MS),
        ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
      });
      jar.take(response);
      const to = response.headers.get('location');
      if (to !== null) step = { url: new URL(to, issuer) };
      else if (response.ok && url.pathname.startsWith('/interaction/')) step = answer(url);
      else if (response.ok && url.pathname === '/session/end')
        step = {
          url: new URL('/session/end/confirm', issuer),
          form: { logout: 'yes', xsrf: /name="xsrf" value="([^"]+)"/.exec(await response.text())?.[1] ?? '' },
        };
      else
        throw new Error(`The provider answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
    }
    throw new Error('The provider sends the browser in circles.');
  }

  return {
    issuer,
    clientId,
    clientSecret,
    process: child,
    signIn: (location, login, jar = new CookieJar()) =>
      follow(location, jar, (url) => ({ url, form: { prompt: 'login', login, password: 'any' } })),
    signOut: (location, jar) =>
      follow(location, jar, () => {
        throw new Error('The provider asks for a sign-in.');
      }),
    breakOff: (location) =>
      follow(location, new CookieJar(), (url) => ({ url: new URL(`${url.pathname}/abort`, issuer) })),
  };
}
