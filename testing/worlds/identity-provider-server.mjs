/**
 * A real OpenID Connect provider as a process of its own: `node identity-provider-server.mjs '<options as JSON>'`. Its sign-in form takes any
 * password; who may sign in, and what is said of them, is in the options. See identity-provider.ts.
 */
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

/**
 * @typedef {object} Options
 * @property {number} port
 * @property {string} clientId
 * @property {string} clientSecret
 * @property {string[]} redirectUris
 * @property {{sub: string, name?: string, groups?: unknown}[]} people
 * @property {boolean} groupsInIdToken false: groups are told by the userinfo endpoint only
 * @property {number} userInfoStatus with 200 the userinfo endpoint answers
 */
const { port, clientId, clientSecret, redirectUris, people, groupsInIdToken, userInfoStatus } =
  /** @type {Options} */ (JSON.parse(process.argv[2] ?? '{}'));
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: redirectUris,
      post_logout_redirect_uris: redirectUris.map((uri) => uri.replace(/callback$/, 'signed-out')),
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  ],
  pkce: { required: () => true },
  cookies: { keys: ['only for tests'] },
  claims: { openid: ['sub'], profile: ['name', 'groups', 'realm_access'], email: ['email'] },
  conformIdTokenClaims: !groupsInIdToken,
  findAccount: (_ctx, sub) => {
    const person = people.find((one) => one.sub === sub);
    return person && { accountId: sub, claims: () => ({ ...person }) };
  },
  // Nobody is asked whether the console may know them: it is the company's own.
  async loadExistingGrant(ctx) {
    const grant = new ctx.oidc.provider.Grant({
      clientId: ctx.oidc.client?.clientId,
      accountId: ctx.oidc.session?.accountId,
    });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
});

const answer = provider.callback();
createServer((request, response) => {
  if (userInfoStatus === 200 || !request.url?.startsWith('/me')) return answer(request, response);
  response
    .writeHead(userInfoStatus, { 'content-type': 'application/json' })
    .end('{"error":"insufficient_scope"}');
}).listen(port, '127.0.0.1', () => console.log(`ready ${issuer}`));
// Ends with whoever started it.
process.once('disconnect', () => process.exit(0));
