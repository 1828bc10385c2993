/** Whether a Redis may hold jobs at all, and is the one that is meant: asked before the first call, and again after each reconnect. */

import type { Cluster, Redis } from 'ioredis';
import { RedriveError } from '@/lib/contract/redrive-error';
import { withDeadline } from './call-deadline';
import { howToSet, readConfigAccess } from './checks/config-advice';
import { versionOf } from './checks/redis-advice';
import { checkIdentity } from './connection-identity';

const POLICY = 'maxmemory-policy noeviction';

export interface ServerFacts {
  /** Of a Cluster: the oldest of its masters. */
  version: string;
}
/** A node of a Cluster that does not say what it is within this must not keep the others from work. */
const NODE_ANSWERS_WITHIN_MS = 2_000;

/**
 * Refuses a Redis that would lose jobs (it evicts keys, or is too old), and a connection in another database or user than its address names.
 * In a Cluster it asks each reachable master that is not in `known`.
 * @throws RedriveError REDIS_UNSAFE, saying why and how to repair it
 */
export async function checkServer(
  redis: Redis | Cluster,
  allowEviction: boolean,
  known: WeakMap<Redis, ServerFacts> = new WeakMap(),
): Promise<ServerFacts> {
  if (!isCluster(redis)) return checkNode(redis, allowEviction, '');
  const answers = await Promise.allSettled(
    redis.nodes('master').map(async (node) => {
      const facts =
        known.get(node) ??
        (await withDeadline(
          checkNode(node, allowEviction, ` (node ${node.options.host}:${node.options.port})`),
          NODE_ANSWERS_WITHIN_MS,
        ));
      known.set(node, facts);
      return facts;
    }),
  );
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  const unsafe = failures.find((reason) => reason instanceof RedriveError);
  if (unsafe) throw unsafe;
  const versions = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.version] : []));
  const [oldest] = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  if (oldest === undefined) throw failures[0] ?? new Error('None of startup nodes is available');
  return { version: oldest };
}

async function checkNode(redis: Redis, allowEviction: boolean, where: string): Promise<ServerFacts> {
  const identity = checkIdentity(redis);
  // Both at the same time; the error of the server check comes first.
  identity.catch(() => undefined);
  const facts = await judge(redis, allowEviction, where);
  await identity;
  return facts;
}

/** By its own word, not by class: the application may bring a connection from another copy of ioredis. */
export const isCluster = (redis: Redis | Cluster): redis is Cluster => redis.isCluster === true;

async function judge(redis: Redis, allowEviction: boolean, where: string): Promise<ServerFacts> {
  const info = String(await redis.info());
  const field = (name: string) => info.match(new RegExp(`^${name}:(.*?)\\r?$`, 'm'))?.[1] ?? '';
  const version = field('redis_version');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 6 || (major === 6 && minor < 2))
    throw new RedriveError(
      'REDIS_UNSAFE',
      `This is Redis ${version || 'of an unknown version'}${where}; Redrive needs 6.2 or newer. Upgrade the server, or point REDIS_URL at another.`,
    );
  const policy = field('maxmemory_policy');
  if (policy !== 'noeviction' && !allowEviction)
    throw new RedriveError(
      'REDIS_UNSAFE',
      `This Redis${where} has maxmemory-policy ${policy || 'unknown'}: when memory is full it would delete jobs to make room. ${howToSet(await readConfigAccess(redis, 'maxmemory-policy'), POLICY)} If losing jobs is acceptable, set REDRIVE_ALLOW_EVICTION=yes for console and demo, or pass allowEviction: true in code.`,
    );
  return { version: versionOf(field) };
}
