'use client';
import { Tooltip as T } from 'radix-ui';

/** Mount once, near the root. */
export function TooltipProvider({ children }: { children: React.ReactNode }) {
  return (
    <T.Provider delayDuration={350} skipDelayDuration={150}>
      {children}
    </T.Provider>
  );
}

/** Opens on hover and on keyboard focus. Its one child must be focusable, and must make sense without it. */
export function Tooltip({ content, children }: { content: React.ReactNode; children: React.ReactElement }) {
  return (
    <T.Root>
      <T.Trigger asChild>{children}</T.Trigger>
      <T.Portal>
        <T.Content
          sideOffset={5}
          collisionPadding={8}
          className="z-60 max-w-72 whitespace-pre-line rounded border border-line-strong bg-raised px-2 py-1 text-fg text-xs"
        >
          {content}
        </T.Content>
      </T.Portal>
    </T.Root>
  );
}
