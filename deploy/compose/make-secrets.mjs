/**
 * Run once by `docker compose up`, before anything else: makes passwords for this installation, so that none is the same elsewhere. What is
 * there already stays. The administrator's password is printed once; the users file holds only its hash.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';

const FOLDER = process.env.REDRIVE_SECRETS_DIR ?? '/secrets';
const WORKER_FOLDER = process.env.REDRIVE_WORKER_SECRETS_DIR ?? '/worker-secrets';
const METRICS_FOLDER = process.env.REDRIVE_METRICS_SECRETS_DIR ?? '/metrics-secrets';
const ADMIN = 'admin';
/** As lib/contract/access/access-limits.ts asks. */
const PASSWORD_HASH = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
/** The console's rights in Redis, and those of a worker of all queues, as docs/connections.md explains them. */
const RIGHTS =
  'resetkeys ~rd:* resetchannels -@all +@read +@write +@connection -@admin -@dangerous -@scripting +eval +evalsha +time +info +client|info';
const WORKER_RIGHTS =
  'resetkeys ~rd:{[A-Za-z0-9]*}:* ~rd:{.workers}:seen ~rd:{.workers}:info ~rd:{.workers}:schemas ~rd:{.workers}:requests ~rd:{.once.*} ~rd:{.once}:counters ~rd:{.schedules}:records ~rd:{.schedules}:due resetchannels -@all +@read +@write +@connection -@admin -@dangerous -@scripting -scan -randomkey +eval +evalsha +time +info +client|info (+zadd %W~rd:queues) (+hget +hlen +hgetall %R~rd:{.queues}:sharding %R~rd:{.dataset}:formats) (+get +setnx ~rd:{.dataset}:id)';
/** The demo worker reads the settings of the lab, and reports to it. */
const LAB_RIGHTS = '~rd:{.lab}:*';

const secret = () => randomBytes(24).toString('base64url');
const at = (/** @type {string} */ name) => join(FOLDER, name);
/** Redis reads its file as another user of the same group. @param {string} path @param {string} text @param {number} [mode] */
const write = (path, text, mode = 0o600) => writeFileSync(path, text, { mode });

for (const folder of [FOLDER, WORKER_FOLDER, METRICS_FOLDER]) mkdirSync(folder, { recursive: true });
const workerFile = join(WORKER_FOLDER, 'worker.env');
const metricsFile = join(METRICS_FOLDER, 'metrics-token');
if ([at('redrive.env'), workerFile, metricsFile].every((file) => existsSync(file))) {
  console.log('The secrets are there already.');
}
if (!existsSync(at('redrive.env'))) {
  const [redisPassword, adminPassword] = [secret(), secret()];
  const user = { id: ADMIN, name: ADMIN, hash: await hash(adminPassword, PASSWORD_HASH) };
  write(at('users.acl'), `user default off\nuser redrive on >${redisPassword} ${RIGHTS}\n`, 0o640);
  write(
    at('users.json'),
    JSON.stringify({ users: [{ ...user, grants: [{ role: 'admin', queues: ['*'] }] }] }),
  );
  // Last: its presence says that all are made.
  write(
    at('redrive.env'),
    `REDIS_URL=redis://redrive:${redisPassword}@redis:6379\nREDRIVE_AUDIT_KEY=${secret()}\nREDRIVE_USERS_FILE=${at('users.json')}\n`,
  );
  console.log(
    `Sign in at ${process.env.PUBLIC_URL ?? 'the console'} as ${ADMIN} with the password ${adminPassword}`,
  );
  console.log('Change it in the account menu: it stands in this log until `docker compose rm secrets`.');
}
// In a volume of its own: a process that runs jobs gets none of the console's secrets.
if (!existsSync(workerFile)) {
  const password = secret();
  const others = readFileSync(at('users.acl'), 'utf8').replaceAll(/^user worker .*\n/gm, '');
  const users = `${others}user worker on >${password} ${WORKER_RIGHTS} ${LAB_RIGHTS}\n`;
  write(at('users.acl'), users, 0o640);
  write(workerFile, `REDIS_URL=redis://worker:${password}@redis:6379\n`);
}
// For Prometheus, which gets no other secret; the console knows the hash only.
if (!existsSync(metricsFile)) {
  const token = secret();
  const others = readFileSync(at('redrive.env'), 'utf8').replaceAll(/^REDRIVE_METRICS_TOKEN_HASH=.*\n/gm, '');
  const hashLine = `REDRIVE_METRICS_TOKEN_HASH=${createHash('sha256').update(token).digest('hex')}\n`;
  write(at('redrive.env'), `${others}${hashLine}`);
  write(metricsFile, token);
}
