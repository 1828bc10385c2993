// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { lazyPart } from './lazy-part';
import { ToasterHost } from './overlays/toaster-host';

afterEach(cleanup);
const WAIT = { timeout: 20_000 };
const FAILURE = /^This part of the page could not be loaded/;

it('loads a part when it opens; one that cannot be loaded closes, says so, and is tried again', async () => {
  const importPart = vi.fn<() => Promise<ComponentType<{ open: boolean; onClose: () => void }>>>();
  importPart.mockRejectedValueOnce(new Error('offline'));
  importPart.mockResolvedValue(() => <p>the form</p>);
  const Part = lazyPart(importPart);
  const onClose = vi.fn();
  const shown = (open: boolean) => (
    <>
      <ToasterHost />
      <Part open={open} onClose={onClose} />
    </>
  );

  const { rerender } = render(shown(false));
  expect(importPart).not.toHaveBeenCalled();

  rerender(shown(true));
  // The notice waits for its own library.
  await screen.findByText(FAILURE, {}, WAIT);
  expect(onClose).toHaveBeenCalledOnce();
  expect(screen.queryByText('the form')).toBeNull();

  rerender(shown(false));
  rerender(shown(true));
  await screen.findByText('the form', {}, WAIT);
  expect(onClose).toHaveBeenCalledOnce();
});
