/** REDIS_URL and REDIS_URL_FILE of the console, its commands and the demo: one of the two. */
import { errorText } from '@/lib/contract/describe-error';
import { redisHosts, redisUrlProblem } from '../redis-address';
import { addressIn, readUrlFile } from './redis-secrets';

type Given = Readonly<Record<string, string | undefined>>;
/** What a broker is opened with. */
export type RedisSetting = { readonly url: string } | { readonly urlFile: string };

/** Empty counts as not set. The problem begins with the name of the setting, has no full stop, and holds no part of the address. */
export function redisSetting({
  REDIS_URL: url,
  REDIS_URL_FILE: urlFile,
}: Given): RedisSetting | { readonly problem: string } {
  if (url && urlFile) return { problem: 'REDIS_URL and REDIS_URL_FILE are both set: set one of them' };
  if (urlFile) {
    try {
      addressIn(urlFile);
      return { urlFile };
    } catch (error) {
      return { problem: errorText(error).replace('urlFile:', 'REDIS_URL_FILE:').replace(/\.$/, '') };
    }
  }
  if (!url)
    return {
      problem:
        'REDIS_URL is missing: set it to the Redis that holds the jobs, such as redis://127.0.0.1:6379, or set REDIS_URL_FILE to a file that holds the address',
    };
  const problem = redisUrlProblem(url);
  return problem === null ? { url } : { problem: `REDIS_URL ${problem}` };
}

/** The address as it stands now, or the path of its file while that cannot be read. */
export function urlOf(setting: RedisSetting): string {
  if ('url' in setting) return setting.url;
  try {
    return readUrlFile(setting.urlFile);
  } catch {
    return setting.urlFile;
  }
}

/** Hosts and ports, for people who repair it: never a user or a password. */
export const hostsOf = (setting: RedisSetting): string => redisHosts(urlOf(setting));
