import { expect, it } from 'vitest';
import { CHANNEL_KINDS } from '@/lib/contract/alerts/alert-limits';
import type { Channel } from '@/lib/contract/alerts/alert-schemas';
import { channelPatchSchema, channelRequestSchema } from '@/lib/contract/alerts/channel-settings';
import {
  type ChannelForm,
  emptyChannelForm,
  KIND_FIELDS,
  toChannelPatch,
  toChannelRequest,
  withoutSecrets,
} from './channel-form';

const FILLED: ChannelForm = {
  ...emptyChannelForm(),
  name: ' on-call ',
  url: ' https://hooks.example.com/x ',
  secret: 'a secret of 16 characters',
  routingKey: 'a'.repeat(32),
  smtp: 'smtps://user:word@mail.example.com:465',
  from: 'redrive@example.com',
  to: 'a@example.com, b@example.com',
  everySeconds: '30',
  levels: 'bad',
  codes: 'FAILING, DEEP',
  queues: 'billing*',
};

it.each(CHANNEL_KINDS)('asks for a channel of the kind %s with its fields only', (kind) => {
  const { data, error } = channelRequestSchema.safeParse(toChannelRequest({ ...FILLED, kind }));
  expect(error?.issues).toBeUndefined();
  expect(Object.keys(data?.channel ?? {}).sort()).toEqual(['kind', 'name', ...KIND_FIELDS[kind]].sort());
  expect(data?.channel.name).toBe('on-call');
});

it('changes what was typed, and keeps secrets that were not typed again', () => {
  const channel: Channel = {
    ...{ name: 'on-call', kind: 'webhook', target: 'hooks.example.com', levels: ['bad'], codes: ['FAILING'] },
    ...{
      queues: null,
      from: null,
      to: null,
      everySeconds: null,
      source: 'console',
      problem: null,
      latest: null,
    },
  };
  const form = emptyChannelForm(channel);
  expect(form).toMatchObject({ levels: 'bad', codes: 'FAILING', queues: '', url: '', secret: '' });
  const patch = toChannelPatch({ ...form, codes: ' ', secret: 'another secret of mine' });
  expect(patch).toEqual({
    channel: { secret: 'another secret of mine', levels: ['bad'], codes: null, queues: null },
    reason: undefined,
  });
  expect(channelPatchSchema.safeParse(patch).success).toBe(true);
});

it('keeps secrets out of links and copied requests', () => {
  const typed = [FILLED.url.trim(), FILLED.secret, FILLED.routingKey, FILLED.smtp];
  for (const placeholder of ['name', 'empty'] as const)
    for (const kind of CHANNEL_KINDS) {
      const text = JSON.stringify(toChannelRequest(withoutSecrets({ ...FILLED, kind }, placeholder)));
      for (const secret of typed) expect(text).not.toContain(secret);
    }
  expect(withoutSecrets(FILLED, 'name').secret).toBe('<secret>');
  expect(withoutSecrets(emptyChannelForm(), 'name').secret).toBe('');
});
