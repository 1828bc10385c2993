import { expect, it } from 'vitest';
import { createDraft, type WizardDraft } from './wizard-draft';
import { readWizardLink, toWizardLink, withLink } from './wizard-link';

const scope = { state: 'dead' as const, q: 'code:GATEWAY', queue: 'email' };
const filledIn: WizardDraft = {
  ...createDraft('redrive', scope),
  rate: { mode: 'rate', rate: '20/s', below: '1,000' },
  canaryOn: true,
  canaryJobs: '7',
  reason: 'Release 1.4.1 fixes it',
  typed: '1200',
  payload: { before: '{"card":1}', text: '{"card":2}' },
};
const reopened = (draft: WizardDraft) => {
  const link = readWizardLink(JSON.parse(JSON.stringify(toWizardLink(draft))));
  return link && withLink(createDraft(link.kind, link.scope), link.draft);
};

it('a link brings back all but payloads and what confirms', () => {
  const text = JSON.stringify(toWizardLink(filledIn));
  expect(text).not.toMatch(/card|1200/);
  expect(reopened(filledIn)).toEqual({ ...filledIn, typed: '', payload: null });
});

it('keeps what the preview decides undecided, and selected jobs selected', () => {
  const jobs = [{ queue: 'email', jobId: 'j1' }];
  const draft = createDraft('purge', { state: 'dead', jobs });
  expect(reopened(draft)).toEqual(draft);
});

it.each([
  [{}],
  [{ kind: 'format-disk', scope, draft: {} }],
  [{ kind: 'redrive', scope: { ...scope, within: [] }, draft: {} }],
  [{ kind: 'redrive', scope: { state: 'dead', jobs: 'all' }, draft: {} }],
])('reads nothing from %j', (filled) => {
  expect(readWizardLink(filled)).toBeNull();
});

it('takes no value of another type than the field has', () => {
  const draft = createDraft('redrive', scope);
  const hostile = { reason: 7, canaryOn: 'yes', rate: { mode: 'warp', rate: [] }, typed: '5', payload: {} };
  expect(withLink(draft, hostile)).toEqual(draft);
});
