// @vitest-environment happy-dom
import { readdirSync, readFileSync } from 'node:fs';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import { readFilled } from '@/lib/browser/dialog-link';
import { CopyRequest } from './copy-request';

afterEach(cleanup);

it('copies the request with what is typed at the moment', async () => {
  const user = userEvent.setup();
  render(
    <ConfirmDialog
      open
      onOpenChange={() => undefined}
      title="Pause?"
      confirmLabel="Pause"
      reason="required"
      tools={({ reason }) => (
        <CopyRequest
          request={() => ({ method: 'POST', path: '/api/v1/x', body: { reason } })}
          filled={() => ({ reason })}
          target={{ dialog: 'pause' }}
        />
      )}
      onConfirm={() => undefined}
    />,
  );
  await user.type(screen.getByLabelText('Reason'), 'mail is down');
  await user.click(screen.getByRole('button', { name: 'Copy as curl' }));
  await waitFor(async () =>
    expect(await navigator.clipboard.readText()).toContain('{"reason":"mail is down"}'),
  );
  expect(await navigator.clipboard.readText()).toContain(`'${window.location.origin}/api/v1/x'`);
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  await waitFor(async () =>
    expect(readFilled(await navigator.clipboard.readText())).toEqual({ reason: 'mail is down' }),
  );
  await user.click(screen.getByRole('button', { name: 'Copy as redrive command' }));
  await waitFor(async () =>
    expect(await navigator.clipboard.readText()).toContain(
      `redrive api POST /api/v1/x '--data={"reason":"mail is down"}'`,
    ),
  );
});

/** They send a password or only change this browser, or they change nothing. */
const WITHOUT = [
  'account/password-dialog.tsx',
  'account/rename-dialog.tsx',
  'account/time-zone-dialog.tsx',
  'jobs/unmask-button.tsx',
];

it('is in every dialog that changes something', () => {
  const root = 'components';
  const lacking = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx') && !file.startsWith('ui/'))
    .filter((file) => {
      const code = readFileSync(`${root}/${file}`, 'utf8');
      const changes =
        /<(FormDialog|ConfirmDialog)\b/.test(code) ||
        (/<DialogContent\b/.test(code) && /\bmutate\b/.test(code));
      return changes && !/<Copy(Request|Commands)\b/.test(code);
    });
  expect(lacking.sort()).toEqual(WITHOUT);
});
