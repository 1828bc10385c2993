/** The alert of this console that its Redis is away: the watch keeps it, lists show it with those in Redis. */
import { urlOf } from '@/lib/broker/redis/connection/redis-setting';
import { getBroker } from '../../console-broker';
import { log } from '../../console-log';
import { readEnv } from '../../environment';
import { singleton } from '../../singleton';
import { attemptMessage, messageChannels } from '../send-messages';
import { RedisAlert } from './redis-alert';

export const getRedisAlert = singleton(
  'redis-alert',
  () =>
    new RedisAlert({
      redisUrl: urlOf(readEnv(process.env).redis),
      channels: messageChannels,
      attempt: attemptMessage,
      record: (alert, messages, goneAt) => getBroker().alerts.handOver(alert, messages, goneAt),
      logger: log(),
    }),
);
