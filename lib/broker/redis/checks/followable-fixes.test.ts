import { expect, it } from 'vitest';
import { REDIS_CHECKS } from './check-redis';
import { NO_READINGS, type ServerReadings } from './server-readings';

/** INFO of a server with as much wrong as its checks can find: each field that is not named says 0. */
class FaultyInfo extends Map<string, string> {
  override has = () => true;
  override get = (name: string) => super.get(name) ?? '0';
}
const info = new FaultyInfo([
  ['maxmemory_policy', 'allkeys-lru'],
  ['config_file', '/etc/redis/redis.conf'],
  ['redis_version', '7.0.0'],
]);
const fixesOf = (config: ServerReadings['config'], isDenied = false) =>
  REDIS_CHECKS.flatMap(({ id, judge }) => {
    const judged = judge({ ...NO_READINGS, info, config, isDenied });
    return judged ? [{ id, text: `${judged.value} ${judged.fix ?? ''}` }] : [];
  });

it('no check advises CONFIG to a user who may not use it, or on a server without it', () => {
  const advised = [true, false].flatMap((isDenied) => fixesOf(null, isDenied));
  expect(advised.filter(({ text }) => /CONFIG (?:SET|REWRITE|RESETSTAT)/.test(text))).toEqual([]);
});

it('names the command where it works', () => {
  const advised = fixesOf(new Map()).filter(({ text }) => /CONFIG SET/.test(text));
  expect(advised.map(({ id }) => id)).toEqual(['eviction', 'aof']);
});

it('says who else may change a setting, or that CONFIG does not exist', () => {
  const [denied, absent] = [true, false].map((isDenied) =>
    fixesOf(null, isDenied).find(({ id }) => id === 'eviction'),
  );
  expect(denied?.text).toContain('As a Redis user that may use CONFIG, set maxmemory-policy noeviction');
  expect(absent?.text).toContain('This server takes no CONFIG: set maxmemory-policy noeviction');
});
