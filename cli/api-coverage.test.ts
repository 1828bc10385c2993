/** Everything the API does is done by a command too, or has a reason why `redrive api` is enough. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { API } from '@/lib/contract/api';
import { JOB_ACTIONS } from '@/lib/contract/jobs/job-actions';

const PAGES = 'charts and lists of pages; a monitoring system reads /metrics';
const PROGRAM = 'of a worker or a producer in another language, which speaks HTTP';
const BROWSER = 'of a session in a browser';
const LAB = 'of the demo, on its page';

const ONLY_BY_API: Readonly<Record<string, string>> = {
  ackJob: PROGRAM,
  claimJobs: PROGRAM,
  extendJob: PROGRAM,
  failJob: PROGRAM,
  releaseJob: PROGRAM,
  changePassword: BROWSER,
  endOtherSessions: BROWSER,
  endSession: BROWSER,
  getSignInOptions: BROWSER,
  listSessions: BROWSER,
  reauthenticate: BROWSER,
  setMyName: BROWSER,
  setMyTables: BROWSER,
  signIn: BROWSER,
  signInByLink: BROWSER,
  signOut: BROWSER,
  controlLabDrill: LAB,
  getLab: LAB,
  listLabEvents: LAB,
  listLabSamples: LAB,
  reclaimLab: LAB,
  resetLab: LAB,
  setLab: LAB,
  startLabBurst: LAB,
  getQueueBreakdown: PAGES,
  getQueueMemory: PAGES,
  listMinutes: PAGES,
  readHistory: PAGES,
  streamLive: PAGES,
  suggestQuery: PAGES,
  deleteSearch: 'a saved search is for the search box; a script holds its query',
  listSearches: 'a saved search is for the search box; a script holds its query',
  saveSearch: 'a saved search is for the search box; a script holds its query',
  addMark: 'one request of a pipeline, shown in docs/history.md',
  downloadAuditFile: 'the whole log: redrive audit export',
  getMe: 'one request without options',
  getMetrics: 'read by Prometheus',
  getOpenApi: 'one request without options',
  getReadiness: 'read by a probe',
  getRedisChecks: 'redrive doctor makes the same checks without a console',
  previewSchedule: 'for the form; redrive schedules create checks the same',
  setQueueSharding: 'once in the life of a queue, after reading docs/sharding.md',
  streamDead: 'redrive dead list, page by page',
};

const FOLDER = join(import.meta.dirname, 'commands');
const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
  .join('\n');

/** Methods of the client that commands call: by name, and by the two names that are put together. */
const called = new Set([
  ...[...sources.matchAll(/\bapi\s*\.(\w+)\(/g)].map(([, name = '']) => name),
  ...(/context\.api\[`\$\{action\}Job`\]/.test(sources)
    ? Object.keys(JOB_ACTIONS).map((name) => `${name}Job`)
    : []),
  ...(/context\.api\[`\$\{action\}Schedule`\]/.test(sources) ? ['pauseSchedule', 'resumeSchedule'] : []),
]);

test('each route of the API has a command, or a reason', () => {
  const reasons = Object.keys(ONLY_BY_API);
  expect([...called, ...reasons].sort()).toEqual(Object.keys(API).sort());
});
