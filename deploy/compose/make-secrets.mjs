/**
 * Run once by `docker compose up`, before anything else: makes passwords for this installation, so that none is the same elsewhere. What is
 * there already stays. The administrator's password is printed once; the users file holds only its hash.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';

const FOLDER = process.env.REDRIVE_SECRETS_DIR ?? '/secrets';
const ADMIN = 'admin';
/** As lib/contract/access/access-limits.ts asks. */
const PASSWORD_HASH = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
/** The console's rights in Redis, as docs/connections.md explains them. */
const RIGHTS =
  'resetkeys ~rd:* resetchannels -@all +@read +@write +@connection -@admin -@dangerous -@scripting +eval +evalsha +time +info +client|info';

const secret = () => randomBytes(24).toString('base64url');
const at = (/** @type {string} */ name) => join(FOLDER, name);

mkdirSync(FOLDER, { recursive: true });
if (existsSync(at('redrive.env'))) {
  console.log('The secrets are there already.');
} else {
  const [redisPassword, adminPassword] = [secret(), secret()];
  const user = { id: ADMIN, name: ADMIN, hash: await hash(adminPassword, PASSWORD_HASH) };
  /** Redis reads its file as another user of the same group. @param {string} name @param {string} text @param {number} [mode] */
  const write = (name, text, mode = 0o600) => writeFileSync(at(name), text, { mode });
  write('users.acl', `user default off\nuser redrive on >${redisPassword} ${RIGHTS}\n`, 0o640);
  write('users.json', JSON.stringify({ users: [{ ...user, grants: [{ role: 'admin', queues: ['*'] }] }] }));
  // Last: its presence says that all are made.
  write(
    'redrive.env',
    `REDIS_URL=redis://redrive:${redisPassword}@redis:6379\nREDRIVE_AUDIT_KEY=${secret()}\nREDRIVE_USERS_FILE=${at('users.json')}\n`,
  );
  console.log(
    `Sign in at ${process.env.PUBLIC_URL ?? 'the console'} as ${ADMIN} with the password ${adminPassword}`,
  );
  console.log('Change it in the account menu: it stands in this log until `docker compose rm secrets`.');
}
