import { expect, it } from 'vitest';
import { alertConfigSchema } from '../settings/alert-config-schema';
import { channelProblems } from './channel-check';

const config = alertConfigSchema.parse({
  channels: [
    { name: 'good', kind: 'slack', url: 'https://good.example.com/s3cret' },
    { name: 'allowed', kind: 'teams', url: 'https://inner.example.com/' },
    { name: 'inner', kind: 'heartbeat', url: 'https://inner.example.com:8443/' },
    { name: 'gone', kind: 'email', smtp: 'smtp://u:s3cret@gone.example.com', from: 'a@b.de', to: ['a@b.de'] },
    { name: 'slow', kind: 'slack', url: 'https://slow.example.com/' },
  ],
  allowedHosts: ['inner.example.com:443'],
});

it('names each channel whose host has no address, or one that is not public without permission', async () => {
  const resolver = async (host: string) => {
    if (host.startsWith('gone')) throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    if (host.startsWith('slow')) return new Promise<never>(() => {});
    return [{ address: host.startsWith('inner') ? '10.0.0.1' : '8.8.8.8', family: 4 }];
  };
  expect(await channelProblems(config, { resolver, deadlineMs: 200 })).toEqual([
    'Alert channel inner: inner.example.com:8443 leads to 10.0.0.1, which is not a public address. If that is right, add "inner.example.com:8443" to allowedHosts of the alert configuration.',
    'Alert channel gone: gone.example.com:587 cannot be resolved (ENOTFOUND).',
    'Alert channel slow: The name server did not answer for slow.example.com.',
  ]);
});
