/** The form of a channel: its fields by kind, and the request for what was typed; pure. */
import { CHANNEL_SECRETS, type ChannelKind } from '@/lib/contract/alerts/alert-limits';
import type { Channel } from '@/lib/contract/alerts/alert-schemas';
import type { ChannelPatch, ChannelRequest } from '@/lib/contract/alerts/channel-settings';

export interface ChannelForm {
  name: string;
  kind: ChannelKind;
  url: string;
  secret: string;
  routingKey: string;
  smtp: string;
  from: string;
  /** Words between commas, as codes and queues are. */
  to: string;
  everySeconds: string;
  levels: 'both' | 'bad' | 'warn';
  codes: string;
  queues: string;
  reason: string;
}
type Field = keyof ChannelForm;

const FILTER = ['levels', 'codes', 'queues'] as const;
/** Besides name, kind and reason. */
export const KIND_FIELDS: Readonly<Record<ChannelKind, readonly Field[]>> = {
  webhook: ['url', 'secret', ...FILTER],
  slack: ['url', ...FILTER],
  teams: ['url', ...FILTER],
  pagerduty: ['routingKey', 'url', ...FILTER],
  email: ['smtp', 'from', 'to', ...FILTER],
  heartbeat: ['url', 'everySeconds'],
};

/** @param channel fills in the form, without its secrets, which no user can read */
export function emptyChannelForm(channel?: Channel): ChannelForm {
  const levels = channel?.levels ?? ['warn', 'bad'];
  const [level] = levels;
  return {
    name: channel?.name ?? '',
    kind: channel?.kind ?? 'webhook',
    url: '',
    secret: '',
    routingKey: '',
    smtp: '',
    from: channel?.from ?? '',
    to: channel?.to?.join(', ') ?? '',
    everySeconds: String(channel?.everySeconds ?? 60),
    levels: levels.length === 1 && level ? level : 'both',
    codes: channel?.codes?.join(', ') ?? '',
    queues: channel?.queues?.join(', ') ?? '',
    reason: '',
  };
}

const words = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
const listOf = (text: string): string[] | undefined => (words(text).length > 0 ? words(text) : undefined);

/** The value that a field has in a request. Undefined: left out. */
const VALUE_OF: Readonly<Partial<Record<Field, (form: ChannelForm) => unknown>>> = {
  to: ({ to }) => words(to),
  everySeconds: ({ everySeconds }) => Number(everySeconds),
  levels: ({ levels }) => (levels === 'both' ? ['warn', 'bad'] : [levels]),
  codes: ({ codes }) => listOf(codes),
  queues: ({ queues }) => listOf(queues),
};
const typedValue = (form: ChannelForm, field: Field): unknown => {
  const read = VALUE_OF[field];
  return read ? read(form) : form[field].trim();
};
const reasonOf = ({ reason }: ChannelForm): string | undefined => reason.trim() || undefined;

export function toChannelRequest(form: ChannelForm): ChannelRequest {
  const { name, kind } = form;
  const fields = KIND_FIELDS[kind].flatMap((field) => {
    const value = typedValue(form, field);
    // Without an address PagerDuty's own is used.
    return kind === 'pagerduty' && field === 'url' && value === '' ? [] : [[field, value]];
  });
  const channel = { name: name.trim(), kind, ...Object.fromEntries(fields) };
  return { channel: channel as ChannelRequest['channel'], reason: reasonOf(form) };
}

/** Secrets that were not typed again stay as they are. */
export function toChannelPatch(form: ChannelForm): ChannelPatch {
  const fields = KIND_FIELDS[form.kind].flatMap((field) => {
    const value = typedValue(form, field);
    if (isSecret(field) && value === '') return [];
    return [[field, (field === 'codes' || field === 'queues') && value === undefined ? null : value]];
  });
  return { channel: Object.fromEntries(fields) as ChannelPatch['channel'], reason: reasonOf(form) };
}

const isSecret = (field: Field): boolean => (CHANNEL_SECRETS as readonly Field[]).includes(field);

/** For a link or a copied request: typed secrets are replaced by their names, or left out. */
export function withoutSecrets(form: ChannelForm, placeholder: 'name' | 'empty'): ChannelForm {
  const hidden = CHANNEL_SECRETS.flatMap((field) =>
    form[field] === '' ? [] : [[field, placeholder === 'name' ? `<${field}>` : '']],
  );
  return { ...form, ...Object.fromEntries(hidden) };
}
