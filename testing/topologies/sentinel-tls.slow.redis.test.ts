/** Sentinels and servers that speak TLS alone and want passwords. */
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { makeCertificates } from '@/testing/worlds/certificates';
import { startSentinels } from '@/testing/worlds/redis-sentinel';
import { jobs } from '@/testing/worlds/world';

describe('Sentinel with TLS and passwords', () => {
  it('B28 is reached and followed the same', async () => {
    const certificates = await makeCertificates();
    const secure = await startSentinels({ tls: certificates, password: 'hunter2' });
    const tls = { caFile: certificates.caFile };
    const safe = createBroker({ url: secure.url, tls });
    const stranger = createBroker({ url: secure.url.replace(/\?.*/, ''), tls });
    try {
      expect(secure.url).toMatch(/^rediss\+sentinel:/);
      await safe.enqueueMany('orders', jobs(2));
      const waiter = safe.waiter();
      expect(await waiter.wait(['orders'], 2_000)).toBe('orders');
      await expect(stranger.ready()).rejects.toMatchObject({
        code: 'REDIS_UNAVAILABLE',
        message: expect.stringMatching(/^The Sentinels refused(?!.*hunter2).*sentinelPassword=/),
      });
      const first = await secure.master();
      await secure.failover();
      await until(async () => (await secure.master()) !== first, { what: 'the failover', timeoutMs: 20_000 });
      // For a moment the old master still answers: what it takes now is in the window. Then the news of the new one comes.
      const now = await secure.master();
      let next = 5;
      await until(
        async () => {
          await safe.enqueueMany('orders', jobs(1, next++));
          return (await now.redis.zcard('rd:{orders}:ready')) > 2;
        },
        { what: 'jobs on the new master', timeoutMs: 10_000 },
      );
      waiter.close();
    } finally {
      safe.close();
      stranger.close();
      await secure.stop();
      await certificates.remove();
    }
  });

  it('R9: rotated passwords of Redis and of the Sentinels hold without a restart', async () => {
    const world = await startSentinels();
    const sentinels = world.sentinelPorts.map((port) => new Redis({ port, lazyConnect: true }));
    const admins = [...world.nodes.map(({ redis }) => redis), ...sentinels];
    const setPassword = async (password: string) => {
      for (const admin of admins) {
        await admin.call('ACL', 'SETUSER', 'app', 'on', 'resetpass', `>${password}`, '~*', '&*', '+@all');
        await admin.call('CLIENT', 'KILL', 'USER', 'app');
      }
    };
    let password = 'one';
    const broker = createBroker({
      url: world.url,
      credentials: () => ({
        ...{ username: 'app', password },
        ...{ sentinelUsername: 'app', sentinelPassword: password },
      }),
    });
    try {
      await setPassword(password);
      await broker.enqueueMany('orders', jobs(1));
      await setPassword('two');
      await until(
        () =>
          broker.ready().then(
            () => false,
            (error: Error) => /WRONGPASS|The Sentinels refused/.test(error.message),
          ),
        { what: 'the refusal of the old password' },
      );
      password = 'two';
      await until(() => broker.enqueueMany('orders', jobs(1, 1)), { what: 'a job with the new password' });
      const waiter = broker.waiter();
      expect(await waiter.wait(['orders'], 2_000)).toBe('orders');
      waiter.close();
    } finally {
      broker.close();
      for (const sentinel of sentinels) sentinel.disconnect();
      await world.stop();
    }
  });
});
