/**
 * Who may import whom: the one table. Dependencies point one way, from the screen towards the contract, so that a page
 * cannot reach Redis past the session and permission checks and the browser never receives a server library.
 */

const NODE = 'node:*';
/** These open sockets, files or processes: never in anything that is sent to a browser. */
export const SERVER_ONLY = [
  'ioredis',
  'pino',
  'prom-client',
  'openid-client',
  'nodemailer',
  '@node-rs/argon2',
  'server-only',
  NODE,
];
/** Any package from npm but the ones above. */
const BROWSER = 'browser packages';
const ANYTHING = 'anything';
/** The console's broker: an application that enqueues and works does not load it. */
const CONSOLE_BROKER = ['lib/broker/index', 'lib/broker/open-broker'];

/**
 * Folder → folders and packages it may import, besides itself. The longest folder that fits a file counts.
 * `components/*` stands for each feature folder, which may import itself but never another feature.
 * `not`: files of those folders that it may not.
 * @type {Record<string, {folders: string[], packages: string[], not?: string[]}>}
 */
export const RULES = {
  'lib/contract': { folders: ['lib/format'], packages: ['zod'] },
  'lib/format': { folders: [], packages: ['diff'] },
  /** Loops and deadlines, shared by broker, worker and console. */
  'lib/process': { folders: [], packages: [NODE] },
  'lib/broker': {
    folders: ['lib/contract', 'lib/process', 'lib/format'],
    packages: ['croner', 'ioredis', 'lru-cache', 'p-limit', NODE],
  },
  /** What the demo worker and the lab page keep in Redis. */
  'lib/lab': { folders: ['lib/contract', 'lib/broker'], packages: [] },
  /** Spans of console and worker, and their way to a collector. */
  'lib/tracing': { folders: ['lib/contract'], packages: ['@opentelemetry/api', NODE] },
  'lib/worker': {
    folders: ['lib/contract', 'lib/broker', 'lib/process', 'lib/tracing'],
    packages: ['zod', 'pino', '@opentelemetry/api', NODE],
    not: CONSOLE_BROKER,
  },
  'lib/sdk': {
    folders: ['lib/contract', 'lib/broker', 'lib/worker', 'lib/tracing'],
    packages: ['zod', NODE],
    not: CONSOLE_BROKER,
  },
  /** The typed client of the HTTP API, `redrive/api`. Also runs in a browser. */
  'lib/api-client': { folders: ['lib/contract'], packages: ['zod'] },
  /** lib/index.ts, the package's one import path, only passes on. */
  lib: {
    folders: ['lib/contract', 'lib/broker', 'lib/worker', 'lib/sdk'],
    packages: [],
    not: CONSOLE_BROKER,
  },
  'lib/users': {
    folders: ['lib/contract'],
    packages: ['@zxcvbn-ts/core', '@zxcvbn-ts/language-common', NODE],
  },
  'lib/server': {
    folders: [
      'lib/contract',
      'lib/broker',
      'lib/lab',
      'lib/process',
      'lib/format',
      'lib/users',
      'lib/tracing',
    ],
    packages: [
      'next',
      '@opentelemetry/api',
      // `cache`: asked once a page.
      'react',
      'server-only',
      'ioredis',
      'pino',
      'prom-client',
      'lru-cache',
      'p-limit',
      'zod',
      'openid-client',
      'nodemailer',
      '@node-rs/argon2',
      NODE,
    ],
  },
  /** What the browser lends, and may refuse. */
  'lib/device': { folders: [], packages: [] },
  'lib/browser': {
    folders: ['lib/device', 'lib/contract', 'lib/format'],
    packages: ['@tanstack/react-query', 'react', 'react-hook-form', 'zod'],
  },
  'components/ui': { folders: ['lib/device', 'lib/format'], packages: [BROWSER] },
  'components/shared': {
    folders: ['components/ui', 'lib/browser', 'lib/device', 'lib/contract', 'lib/format'],
    packages: [BROWSER],
  },
  'components/*': {
    folders: [
      'components/ui',
      'components/shared',
      'lib/browser',
      'lib/device',
      'lib/contract',
      'lib/format',
    ],
    packages: [BROWSER],
  },
  /** Nothing that skips the check of rights: a route is given the authorized broker, see lib/server/authorization. */
  app: {
    folders: ['components', 'lib/server', 'lib/browser', 'lib/device', 'lib/contract'],
    packages: [BROWSER, 'server-only', NODE],
    not: [
      'lib/server/console-broker',
      'lib/server/lab/console-lab',
      'lib/server/live/sampler',
      'lib/server/live/live-hub',
    ],
  },
  worker: {
    folders: ['lib/worker', 'lib/process', 'lib/tracing', 'lib/broker', 'lib/lab', 'lib/contract'],
    packages: ['ioredis', 'pino', 'zod', NODE],
  },
  cli: {
    // The doctor reads the console's settings as the console does.
    folders: [
      'lib/api-client',
      'lib/worker',
      'lib/broker',
      'lib/contract',
      'lib/format',
      'lib/users',
      'lib/server',
    ],
    packages: [ANYTHING],
  },
  /** What an application would write: it knows the package only. */
  examples: { folders: [], packages: ['redrive', 'zod', 'ioredis', NODE] },
  bench: { folders: [ANYTHING], packages: [ANYTHING] },
  /** Runs in the image, beside what is built. */
  deploy: { folders: [], packages: ['@node-rs/argon2', NODE] },
  scripts: { folders: [ANYTHING], packages: [ANYTHING] },
  testing: { folders: [ANYTHING], packages: [ANYTHING] },
  e2e: { folders: [ANYTHING], packages: [ANYTHING] },
};

/**
 * Folders with floors, from the ground up: a room imports the floors below it and itself, types included. Files that lie in no room of the
 * folder are the floor `.`, or else its top floor.
 * @type {Record<string, string[][]>}
 */
export const FLOORS = {
  'lib/broker': [
    ['redis'],
    ['access', 'shards'],
    ['audit', 'workers'],
    ['queues'],
    ['history'],
    ['jobs'],
    ['search', 'schedules', 'alerts'],
    ['operations', 'engine'],
  ],
  'lib/server': [
    ['settings'],
    // The environment, the broker and the log of this process.
    ['.'],
    ['http'],
    ['audit'],
    ['authentication'],
    ['authorization', 'alerts'],
    ['live'],
    ['background'],
    ['authorized-broker', 'access'],
    ['routes', 'lab'],
    ['start'],
  ],
  'lib/broker/operations': [['rules'], ['kinds'], ['store'], ['preview'], ['runner']],
};
/** The text of the Lua scripts, below all floors. */
const SCRIPT_TEXTS = 'lib/broker/lua';

/**
 * @param {string} folder with floors
 * @param {string} file
 * @returns {{room: string, floor: number} | undefined} undefined outside of the folder, or for the scripts
 */
export function floorIn(folder, file) {
  const rest = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : '';
  if (rest === '' || file.startsWith(SCRIPT_TEXTS)) return undefined;
  const floors = FLOORS[folder] ?? [];
  const [first = '', ...inner] = rest.split('/');
  const room = inner.length === 0 ? '.' : first;
  const floor = floors.findIndex((rooms) => rooms.includes(room));
  return { room, floor: room === '.' && floor < 0 ? floors.length : floor };
}

/** Files at the root: Next's entry points are part of the server, the rest configure tools. */
export const ROOT_RULES = {
  browser: { files: /^instrumentation-client\.ts$/, folders: ['lib/device'], packages: [] },
  server: {
    files: /^(proxy|instrumentation(-\w+)?)\.ts$/,
    folders: ['lib/server', 'lib/contract'],
    packages: ['next', NODE],
  },
  tools: { folders: ['scripts', 'testing', 'e2e'], packages: [ANYTHING] },
};

/** What a test may import on top of what its folder may: helpers, and the broker to put jobs where it needs them. */
export const TEST_FILE = /\.test\.tsx?$/;
export const TEST_EXTRA = { folders: ['testing', 'lib/broker', 'lib/lab', 'scripts'], packages: [ANYTHING] };

/** Rooms of the lab. The rest of the console must work without them. */
const LAB_ROOM =
  /^(lib\/lab|lib\/contract\/lab|lib\/server\/lab|components\/lab|app\/\(console\)\/lab|app\/api\/v1\/lab|worker)\//;
/** Lists of what the API has, and the start of the console, which registers the lab where it is on. */
const LAB_DOORS = new Set([
  'lib/contract/api/lab-routes.ts',
  'lib/contract/api/component-schemas.ts',
  'lib/browser/api/reply-contract.ts',
  'lib/server/start/lifecycle.ts',
]);
/** They may import anything that is not the product. */
const BESIDE_THE_PRODUCT = new Set(['bench', 'scripts', 'testing', 'e2e']);

/** Whether a file may know the lab. @param {string} file */
const seesLab = (file) =>
  LAB_ROOM.test(file) || LAB_DOORS.has(file) || TEST_FILE.test(file) || BESIDE_THE_PRODUCT.has(zoneOf(file));

/** @typedef {{zone: string, folders: string[], packages: string[], not: string[], seesLab: boolean}} Rule */

/** The folder of the table that a file belongs to. @param {string} file a path from the root @returns {string} */
export function zoneOf(file) {
  const [top = '', second = ''] = file.split('/');
  if (top === file) return '';
  const inner = file.split('/').length > 2 ? `${top}/${second}` : top;
  return top === 'lib' || top === 'components' ? inner : top;
}

/** @param {string} file @returns {Rule | undefined} undefined when the table does not know the folder */
export function ruleFor(file) {
  const zone = zoneOf(file);
  const base =
    zone === ''
      ? ([ROOT_RULES.browser, ROOT_RULES.server].find(({ files }) => files.test(file)) ?? ROOT_RULES.tools)
      : (RULES[zone] ?? (zone.startsWith('components/') ? RULES['components/*'] : undefined));
  if (!base) return undefined;
  const isTest = TEST_FILE.test(file);
  const extra = isTest ? TEST_EXTRA : { folders: [], packages: [] };
  return {
    zone,
    folders: [...base.folders, ...extra.folders],
    packages: [...base.packages, ...extra.packages],
    not: isTest || !('not' in base) ? [] : (base.not ?? []),
    seesLab: seesLab(file),
  };
}

/** @param {Rule} rule @param {string} target the file imported, from the root */
export function mayImportFile(rule, target) {
  const zone = zoneOf(target);
  if (rule.not.includes(target.replace(/\.tsx?$/, ''))) return false;
  if (LAB_ROOM.test(target) && !rule.seesLab) return false;
  return (
    rule.folders.some((folder) => folder === ANYTHING || zone === folder || zone.startsWith(`${folder}/`)) ||
    zone === rule.zone
  );
}

/** @param {Rule} rule @param {string} specifier */
export function mayImportPackage(rule, specifier) {
  const isNode = specifier.startsWith('node:');
  const name = isNode
    ? NODE
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
  return rule.packages.some(
    (allowed) =>
      allowed === ANYTHING || allowed === name || (allowed === BROWSER && !SERVER_ONLY.includes(name)),
  );
}

/** The end of the sentence "lib/format may import …". @param {Rule} rule */
export function describe(rule) {
  const list = [...new Set([...rule.folders, ...rule.packages])];
  if (list.includes(ANYTHING) && rule.folders.includes(ANYTHING)) return 'anything';
  const but = rule.not.length > 0 ? ` (not ${rule.not.join(', ')})` : '';
  return list.length ? `its own folder, ${list.join(', ')}${but}` : 'nothing outside its own folder';
}
