/**
 * Dockerfile, compose.yaml, deploy/kubernetes and deploy/grafana, as far as they can be checked without a container engine: their form, the
 * settings they make, and that all they name is there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { Deployment } from 'kubernetes-models/apps/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service, ServiceAccount } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { redisAdvice } from '@/lib/broker/redis/checks/redis-advice';
import { readEnv } from '@/lib/server/environment';
import { CONSOLE_SETTINGS, OTHER_SETTINGS } from '@/lib/server/environment-table';
import { HASH } from '@/testing/security/refused-configurations';
import { documentedUsers } from '@/testing/worlds/redis-server';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const IMAGE = `redrive:${version}`;
const USERS = JSON.stringify({ users: [{ name: 'Ann', hash: HASH, grants: [{ role: 'admin' }] }] });
/** In place of what comes from a secret. */
const SECRETS: Record<string, string> = {
  REDIS_URL: 'redis://redrive:password@redis:6379',
  REDRIVE_AUDIT_KEY: 'k'.repeat(32),
  REDRIVE_USERS: USERS,
};
const OURS = new Set([...Object.keys(CONSOLE_SETTINGS), ...Object.keys(OTHER_SETTINGS)]);
/** Of an image that changes by itself nobody knows what runs. */
const PINNED = /^[\w./-]+:v?\d[\w.-]*@sha256:[0-9a-f]{64}$/;
/** Our own image has a digest only once it is built. */
const isPinned = (image: string) => image === IMAGE || PINNED.test(image);

describe('Dockerfile', () => {
  const instructions = DockerfileParser.parse(read('Dockerfile')).getInstructions();
  const all = (keyword: string) =>
    instructions
      .filter((one) => one.getKeyword() === keyword)
      .map((one) => one.getRawArgumentsContent()?.replaceAll(/\\\n\s*/g, '') ?? '');
  const last = instructions.slice(instructions.findLastIndex((one) => one.getKeyword() === 'FROM'));
  const lastOf = (keyword: string) =>
    last
      .filter((one) => one.getKeyword() === keyword)
      .at(-1)
      ?.getRawArgumentsContent();

  it('has two stages of pinned images, and nothing of the build but what is copied', () => {
    const images = all('FROM').map((text) => text.split(' ')[0] ?? '');
    expect(images).toHaveLength(2);
    for (const image of images) expect(image).toMatch(PINNED);
    for (const copy of last.filter((one) => one.getKeyword() === 'COPY'))
      expect(copy.toString()).toMatch(
        /^COPY --from=build --chown=0:0 (?:\/build\/dist\/console\/|\/packages) /,
      );
    // The packages are moved out of the console, or both layers would hold them.
    expect(all('RUN')).toContain(
      'npm run build && npm run build:standalone && mv dist/console/node_modules /packages',
    );
  });

  it('runs as a user without rights, who owns no file of it, under a health check', () => {
    expect(lastOf('USER')).toBe('65534:65534');
    expect(lastOf('HEALTHCHECK')).toContain('"/app/scripts/health-check.mjs"');
    expect(lastOf('CMD')).toBe('["node", "/app/scripts/serve.mjs"]');
    for (const file of ['scripts/health-check.mjs', 'scripts/serve.mjs'])
      expect(existsSync(join(ROOT, file))).toBe(true);
    expect(lastOf('EXPOSE')).toBe('3000');
  });

  it('fetches nothing but packages by their hash, and holds no secret', () => {
    expect(all('ADD')).toEqual([]);
    expect(all('RUN').join('\n')).not.toMatch(/curl|wget|npm (?:i|install)\b|apt/);
    expect(all('RUN')).toContain('npm ci');
    expect(`${all('ENV')} ${all('ARG')}`).not.toMatch(/SECRET|PASSWORD|TOKEN|KEY|REDIS_URL/);
  });

  it('leaves settings, users, data and history of this machine out', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const name of ['.env', '.env.*', 'users.json*', '.data', '.git', 'node_modules', 'dist', '.next'])
      expect(ignored).toContain(name);
  });
});

interface ComposeService {
  image: string;
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  user?: string;
  depends_on?: Record<string, unknown>;
}

describe('compose.yaml', () => {
  const file = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, ComposeService>;
    volumes: object;
  };
  const services = Object.entries(file.services);

  it.each(services)('%s is pinned and hardened, and this machine alone reaches it', (_, service) => {
    expect(isPinned(service.image), service.image).toBe(true);
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(service.user ?? '65534').not.toMatch(/^(0|root)\b/);
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    for (const name of Object.keys(service.depends_on ?? {})) expect(file.services).toHaveProperty(name);
  });

  it('runs a Redis that the console does not warn of', () => {
    const { image = '' } = file.services.redis ?? {};
    const [, version = ''] = /^redis:([\d.]+)-/.exec(image) ?? [];
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(redisAdvice(version)).toBeNull();
    // The test is blind where the line of releases is unknown.
    expect(redisAdvice(version.replace(/\d+$/, '0'))).toContain('known weaknesses');
  });

  it('mounts files and volumes that there are', () => {
    for (const mount of services.flatMap(([, { volumes = [] }]) => volumes)) {
      const [source = ''] = mount.split(':');
      if (!source.startsWith('.')) expect(file.volumes).toHaveProperty(source);
      else expect(existsSync(join(ROOT, source)), source).toBe(true);
    }
  });

  it('console and worker have a Redis user each, with the documented rights', () => {
    const script = read('deploy/compose/make-secrets.mjs');
    for (const name of ['redrive', 'worker'])
      expect(script).toContain(
        `'${documentedUsers()
          .find(({ user }) => user === name)
          ?.rules.slice(2)
          .join(' ')}'`,
      );
    expect(file.services.worker?.volumes).toEqual(['worker-secrets:/worker-secrets:ro']);
    expect(file.services.console?.volumes).toEqual(['secrets:/secrets']);
  });

  it('Prometheus has a token that is made with the passwords, and no other secret', () => {
    const { volumes = [], user } = file.services.prometheus ?? {};
    expect(volumes.filter((mount) => mount.includes('secrets:'))).toEqual([
      'metrics-secrets:/metrics-secrets:ro',
    ]);
    expect(read('deploy/prometheus/prometheus.yml')).toContain(
      'credentials_file: /metrics-secrets/metrics-token',
    );
    // The user of the image, who makes the file.
    expect(user).toBe('65534:65534');
    for (const [, service] of services) expect(service).not.toHaveProperty('profiles');
  });

  it('has a configuration that the console accepts, and no secret', () => {
    const { environment = {} } = file.services.console ?? {};
    for (const name of Object.keys(environment)) expect(OURS).toContain(name);
    expect(() => readEnv({ ...environment, ...SECRETS })).not.toThrow();
    for (const name of Object.keys(SECRETS)) expect(environment).not.toHaveProperty(name);
  });
});

const KINDS = { Deployment, NetworkPolicy, PodDisruptionBudget, Service, ServiceAccount } as const;
type Manifest = { kind: keyof typeof KINDS; apiVersion: string; metadata: { name: string } };

describe('deploy/kubernetes', () => {
  const manifests = readdirSync(join(ROOT, 'deploy/kubernetes')).flatMap((name) =>
    parseAllDocuments(read(`deploy/kubernetes/${name}`)).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Manifest;
    }),
  );
  const deployment = new Deployment(manifests.find(({ kind }) => kind === 'Deployment') as never);
  const pod = deployment.spec?.template.spec;
  const container = pod?.containers[0];

  it.each(manifests.map((manifest) => [manifest.kind, manifest] as const))(
    '%s fits the schema',
    (kind, manifest) => {
      const model = new KINDS[kind](manifest as never);
      expect(() => model.validate()).not.toThrow();
      expect(model.apiVersion).toBe(manifest.apiVersion);
    },
  );

  it('the schema sees a mistake', () => {
    const wrong = { ...deployment.toJSON(), spec: { ...deployment.spec, replicas: 'two' } };
    expect(() => new Deployment(wrong as never).validate()).toThrow('replicas');
  });

  it('every kind that is asked for is there, and all select the same pods', () => {
    expect(manifests.map(({ kind }) => kind).sort()).toEqual(Object.keys(KINDS).sort());
    const labels = deployment.spec?.template.metadata?.labels;
    const by = (kind: string) =>
      (manifests.find((one) => one.kind === kind) as unknown as { spec: never })?.spec;
    expect(deployment.spec?.selector.matchLabels).toEqual(labels);
    expect((by('Service') as { selector: object }).selector).toEqual(labels);
    expect((by('PodDisruptionBudget') as { selector: { matchLabels: object } }).selector.matchLabels).toEqual(
      labels,
    );
    expect((by('NetworkPolicy') as { podSelector: { matchLabels: object } }).podSelector.matchLabels).toEqual(
      labels,
    );
  });

  it('lets only named pods reach the console: it believes them which address a request comes from', () => {
    const policy = new NetworkPolicy(manifests.find(({ kind }) => kind === 'NetworkPolicy') as never);
    const from = (policy.spec?.ingress ?? []).flatMap((rule) => rule.from ?? []);
    expect(container?.env?.some(({ name }) => name === 'TRUST_PROXY')).toBe(true);
    expect(from.length).toBeGreaterThan(0);
    for (const { namespaceSelector, podSelector } of from)
      expect([namespaceSelector?.matchLabels, podSelector?.matchLabels]).toEqual([
        expect.any(Object),
        { 'app.kubernetes.io/name': expect.any(String) },
      ]);
  });

  it('runs the image without rights, on a read-only file system, with probes and without a token of the cluster', () => {
    expect(container).toMatchObject({
      image: IMAGE,
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      livenessProbe: { httpGet: { path: '/healthz' } },
      readinessProbe: { httpGet: { path: '/readyz' } },
      startupProbe: { httpGet: { path: '/healthz' } },
    });
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65534 },
    });
    expect(container?.resources?.limits?.memory).toBeDefined();
  });

  it('answers under the name of its Service, and takes requests until the Service has dropped the pod', () => {
    const service = manifests.find(({ kind }) => kind === 'Service');
    const { value = '' } = container?.env?.find(({ name }) => name === 'REDRIVE_ALLOWED_HOSTS') ?? {};
    expect(value.split(',')).toContain(service?.metadata.name);
    const [program, , script = ''] = container?.lifecycle?.preStop?.exec?.command ?? [];
    expect(program).toBe('node');
    const waitMs = Number(/^setTimeout\(\(\) => \{\}, (\d+)\)$/.exec(script)?.[1]);
    // Behind it the console itself needs 3 seconds (scripts/serve.mjs).
    expect(waitMs + 3_000).toBeLessThan((pod?.terminationGracePeriodSeconds ?? 0) * 1_000);
  });

  it('has a configuration that the console accepts; secrets come from a Secret', () => {
    const given: Record<string, string> = {};
    for (const { name, value, valueFrom } of container?.env ?? []) {
      expect(OURS).toContain(name);
      expect(valueFrom?.secretKeyRef !== undefined, name).toBe(name in SECRETS);
      given[name] = value ?? SECRETS[name] ?? '';
    }
    expect(() => readEnv(given)).not.toThrow();
  });
});

describe('.github/workflows', () => {
  const workflows = readdirSync(join(ROOT, '.github/workflows')).map((name) => ({
    name,
    text: read(`.github/workflows/${name}`),
  }));
  interface Step {
    uses?: string;
    run?: string;
    with?: Record<string, unknown>;
  }
  type Job = { permissions?: object; 'timeout-minutes'?: number; steps: Step[] };

  it.each(workflows)(
    '$name runs actions by commit, ends in time, and keeps no right that it does not need',
    ({ text }) => {
      const { permissions, jobs } = parse(text) as { permissions: object; jobs: Record<string, Job> };
      expect(permissions).toEqual({ contents: 'read' });
      for (const job of Object.values(jobs)) {
        expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
        for (const { uses, with: options, run } of job.steps) {
          if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
          if (uses?.startsWith('actions/checkout@'))
            expect(options).toMatchObject({ 'persist-credentials': false });
          // A name of a branch or a title must not become part of a command.
          expect(run ?? '').not.toContain('${{');
        }
      }
      expect(text).not.toContain('pull_request_target');
    },
  );

  it('the job that may publish runs nothing but setup, download and npm publish', () => {
    const { jobs } = parse(read('.github/workflows/release.yml')) as { jobs: Record<string, Job> };
    const trusted = Object.values(jobs).filter(({ permissions }) => permissions && 'id-token' in permissions);
    expect(trusted).toHaveLength(1);
    const [{ permissions, steps } = { steps: [] }] = trusted;
    expect(permissions).toEqual({ 'id-token': 'write' });
    for (const { uses, run } of steps)
      expect(uses ?? run).toMatch(/^(actions\/(setup-node|download-artifact)@|npm publish )/);
  });

  it('the job that may push the image runs nothing but download and docker, and builds nothing', () => {
    const { jobs } = parse(read('.github/workflows/release.yml')) as { jobs: Record<string, Job> };
    const pushing = Object.values(jobs).filter(({ permissions }) => permissions && 'packages' in permissions);
    expect(pushing).toHaveLength(1);
    const [{ permissions, steps } = { steps: [] }] = pushing;
    expect(permissions).toEqual({ packages: 'write' });
    for (const { uses, run } of steps)
      expect(uses ?? run).toMatch(
        /^(actions\/download-artifact@|docker (load|tag|push) |printf %s "\$TOKEN" \| docker login )/,
      );
  });

  it('their npm scripts exist, and the image has the version', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const texts = workflows.map(({ text }) => text).join('\n');
    for (const [, script = ''] of texts.matchAll(/npm run ([\w:-]+)/g))
      expect(scripts).toHaveProperty(script);
    for (const [, image = ''] of texts.matchAll(/--tag (\S+)/g)) expect(image).toBe(IMAGE);
  });
});

describe('deploy/grafana', () => {
  const boards = readdirSync(join(ROOT, 'deploy/grafana/dashboards')).map(
    (name) =>
      JSON.parse(read(`deploy/grafana/dashboards/${name}`)) as {
        uid: string;
        title: string;
        panels: { id: number; title: string; datasource: object; targets: { expr: string }[] }[];
      },
  );

  it('has two dashboards, told apart by Grafana and by people', () => {
    expect(boards).toHaveLength(2);
    expect(new Set(boards.map(({ uid }) => uid)).size).toBe(2);
    for (const { panels } of boards) {
      expect(panels.length).toBeGreaterThan(10);
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    }
  });

  it('counts a queue once, however many consoles tell its numbers', () => {
    for (const { expr } of boards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets)))
      if (expr.includes('redis_job_')) expect(expr).toMatch(/max by \(/);
  });
});
