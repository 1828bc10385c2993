/** What is sent to Slack, Teams and PagerDuty, held against what their documentation allows, also with words of attackers in it. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { alertMessage } from '@/testing/alerts/sample-alert-message';
import { mailText } from './mail-format';
import { pagerdutyEvents } from './pagerduty-format';
import { slackBody } from './slack-format';
import { teamsBody } from './teams-format';

const KEY = '0123456789abcdef0123456789abcdef';
const HOSTILE =
  '<!channel> <@U1> <https://evil.example|Sign in> [Sign in](https://evil.example) **b** &amp; {{DATE(2017-02-14T06:08:39Z)}} \u202egnp.exe \u0007 a\r\nBcc: x@evil.example';
const hostile = alertMessage({
  environment: null,
  alert: {
    sentence: HOSTILE,
    queues: { total: 60, named: ['a', 'b', 'c'] },
    acknowledged: { at: 1, actor: 'ann\r\nX-Evil: 1', note: HOSTILE },
  },
});
const long = alertMessage({ alert: { sentence: '😀'.repeat(10_000) } });
const EVENTS = ['fired', 'worse', 'acknowledged', 'ended', 'test'] as const;
const MESSAGES = [hostile, long, ...EVENTS.map((event) => alertMessage({ event }))];
const SEEN = '⟨U+202E⟩gnp.exe ⟨U+0007⟩ a⟨U+000D⟩⟨U+000A⟩Bcc: x@evil.example';

describe('Slack', () => {
  const plainText = (max: number) =>
    z.strictObject({
      type: z.literal('plain_text'),
      text: z.string().min(1).max(max),
      emoji: z.literal(false),
    });
  const mrkdwn = z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(3_000) });
  const body = z.strictObject({
    text: z.string().min(1).max(40_000),
    blocks: z
      .array(
        z.union([
          z.strictObject({ type: z.literal('header'), text: plainText(150) }),
          z.strictObject({ type: z.literal('section'), text: z.union([plainText(3_000), mrkdwn]) }),
          z.strictObject({ type: z.literal('section'), fields: z.array(plainText(2_000)).min(1).max(10) }),
        ]),
      )
      .max(50),
  });

  it('gets a message as documented', () => {
    for (const message of MESSAGES) expect(body.safeParse(slackBody(message)).error).toBeUndefined();
    expect(slackBody(alertMessage())).toEqual({
      text: '[production] Bad: FAILING in billing. 40% of runs in billing fail (objective: under 5%).',
      blocks: [
        {
          type: 'header',
          text: { type: 'plain_text', text: '[production] Bad: FAILING in billing', emoji: false },
        },
        {
          type: 'section',
          text: {
            type: 'plain_text',
            text: '40% of runs in billing fail (objective: under 5%).',
            emoji: false,
          },
        },
        {
          type: 'section',
          fields: [{ type: 'plain_text', text: 'Since: 2026-01-02 03:04:05 UTC', emoji: false }],
        },
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: '<https://redrive.example.com/dead?q=queue%3Abilling+age%3A%3C5m&amp;sort=a%7Cb|Show the cause> · <https://redrive.example.com/alerts|All alerts>',
          },
        },
      ],
    });
  });

  it('gets words of others as plain text: they mention nobody and link nowhere', () => {
    const { text, blocks } = body.parse(slackBody(hostile));
    expect(text).not.toMatch(/[<>]/);
    expect(text).toContain('&lt;!channel&gt;');
    expect(text).toContain('&amp;amp;');
    const marked = blocks.filter((block) => 'text' in block && block.text.type === 'mrkdwn');
    expect(JSON.stringify(marked)).not.toContain('evil');
    expect(JSON.stringify(blocks)).toContain(SEEN);
  });
});

describe('Teams', () => {
  const textRun = z.strictObject({
    type: z.literal('TextRun'),
    text: z.string().min(1),
    weight: z.literal('Bolder').optional(),
    size: z.literal('Medium').optional(),
  });
  const card = z.strictObject({
    $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
    type: z.literal('AdaptiveCard'),
    version: z.literal('1.2'),
    // No TextBlock and no FactSet: both read Markdown.
    body: z.array(z.strictObject({ type: z.literal('RichTextBlock'), inlines: z.array(textRun).length(1) })),
    actions: z.array(
      z.strictObject({
        type: z.literal('Action.OpenUrl'),
        title: z.string(),
        url: z.url({ protocol: /^https$/ }),
      }),
    ),
  });
  const body = z.strictObject({
    type: z.literal('message'),
    attachments: z.tuple([
      z.strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null(),
        content: card,
      }),
    ]),
  });

  it('gets a card as documented, under 28 KB', () => {
    for (const message of MESSAGES) {
      expect(body.safeParse(teamsBody(message)).error).toBeUndefined();
      expect(Buffer.byteLength(JSON.stringify(teamsBody(message)))).toBeLessThan(28_000);
    }
    const texts = body
      .parse(teamsBody(alertMessage()))
      .attachments[0].content.body.map(({ inlines: [run] }) => run?.text);
    expect(texts).toEqual([
      '[production] Bad: FAILING in billing',
      '40% of runs in billing fail (objective: under 5%).',
      'Since: 2026-01-02 03:04:05 UTC',
    ]);
  });

  it('gets words of others where Markdown means nothing, and no address of theirs to open', () => {
    const { content } = body.parse(teamsBody(hostile)).attachments[0];
    expect(content.actions.map(({ url }) => new URL(url).host)).toEqual(Array(2).fill('redrive.example.com'));
    expect(JSON.stringify(content.body)).toContain(SEEN);
  });
});

describe('PagerDuty', () => {
  const link = z.strictObject({ href: z.url(), text: z.string() });
  const head = {
    routing_key: z.string().length(32),
    dedup_key: z.string().min(1).max(255),
  };
  const event = z.discriminatedUnion('event_action', [
    z.strictObject({
      ...head,
      event_action: z.literal('trigger'),
      payload: z.strictObject({
        summary: z.string().min(1).max(1_024),
        source: z.string().min(1),
        severity: z.enum(['critical', 'error', 'warning', 'info']),
        timestamp: z.iso.datetime(),
        component: z.string(),
        class: z.string(),
        custom_details: z.record(z.string(), z.string()),
      }),
      links: z.array(link),
      client: z.string(),
      client_url: z.url(),
    }),
    z.strictObject({ ...head, event_action: z.literal('acknowledge') }),
    z.strictObject({ ...head, event_action: z.literal('resolve') }),
  ]);
  const eventsOf = (message: Parameters<typeof pagerdutyEvents>[0]) =>
    pagerdutyEvents(message, KEY).map((one) => event.parse(one));

  it('gets events as documented: one incident an alert, which ends with it', () => {
    for (const message of MESSAGES) expect(eventsOf(message).length).toBeGreaterThan(0);
    const told = EVENTS.map((name) => eventsOf(alertMessage({ event: name })));
    expect(told.map((events) => events.map(({ event_action }) => event_action))).toEqual([
      ['trigger'],
      ['trigger'],
      ['acknowledge'],
      ['resolve'],
      ['trigger', 'resolve'],
    ]);
    const keys = told.map(([first]) => first?.dedup_key);
    expect(new Set(keys.slice(0, 4))).toEqual(new Set(['redrive/FAILING-1']));
    // A test leaves the incident of the alert alone.
    expect(keys[4]).toBe('redrive/FAILING-1:fired:1');
  });

  it('is told how bad it is', () => {
    const severity = (message: Parameters<typeof pagerdutyEvents>[0]) =>
      eventsOf(message).flatMap((one) => (one.event_action === 'trigger' ? [one.payload.severity] : []));
    expect(severity(alertMessage())).toEqual(['critical']);
    expect(severity(alertMessage({ alert: { level: 'warn' } }))).toEqual(['warning']);
    expect(severity(alertMessage({ event: 'test' }))).toEqual(['info']);
  });
});

describe('a mail', () => {
  it('says what happened, since when, and where to look', () => {
    expect(mailText(alertMessage(), 'redrive@example.com')).toEqual({
      subject: '[production] Bad: FAILING in billing',
      text: [
        '40% of runs in billing fail (objective: under 5%).',
        '',
        'Since: 2026-01-02 03:04:05 UTC',
        '',
        'Show the cause: https://redrive.example.com/dead?q=queue%3Abilling+age%3A%3C5m&sort=a|b',
        'All alerts: https://redrive.example.com/alerts',
        '',
      ].join('\n'),
      messageId: '<redrive.FAILING-1-fired-1@example.com>',
      references: '<redrive.alert-FAILING-1@example.com>',
    });
  });

  it('has one line for each word of others', () => {
    const { text, subject } = mailText(hostile, 'redrive@example.com');
    expect(text).not.toMatch(/^Bcc:/m);
    expect(text).toContain(SEEN);
    expect(text).toContain('Queues: a, b, c and 57 more');
    expect(subject).toBe('Bad: FAILING in 60 queues');
    expect(mailText(alertMessage({ event: 'test' }), 'a@b.de').subject).toBe(
      '[production] Test of a channel',
    );
  });
});
