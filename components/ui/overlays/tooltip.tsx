'use client';
import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { Slot } from '../slot';

const OPEN_AFTER_MS = 350;
/** Long enough to move the pointer onto the text. */
const CLOSE_AFTER_MS = 120;
const GAP_PX = 5;
const EDGE_PX = 8;

/**
 * Opens on hover and on keyboard focus. Its one child must be focusable, and must make sense without it. Of our own, because a library's
 * would be a tenth of the script that each page begins with.
 */
export function Tooltip({ content, children }: { content: ReactNode; children: ReactElement }) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const later = (next: HTMLElement | null, ms: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setAnchor(next), ms);
  };
  const close = () => {
    clearTimeout(timer.current);
    setAnchor(null);
  };
  return (
    <>
      <Slot
        aria-describedby={anchor ? id : undefined}
        onPointerEnter={({ pointerType, currentTarget }: PointerEvent<HTMLElement>) => {
          // A finger does not hover.
          if (pointerType !== 'touch') later(currentTarget, OPEN_AFTER_MS);
        }}
        onPointerLeave={() => later(null, CLOSE_AFTER_MS)}
        onPointerDown={close}
        onFocus={({ currentTarget }: FocusEvent<HTMLElement>) => {
          if (currentTarget.matches(':focus-visible')) setAnchor(currentTarget);
        }}
        onBlur={close}
        onKeyDown={({ key }: KeyboardEvent) => {
          if (key === 'Escape') close();
        }}
      >
        {children}
      </Slot>
      {anchor && (
        <TooltipWindow
          id={id}
          anchor={anchor}
          onClose={close}
          onEnter={() => clearTimeout(timer.current)}
          onLeave={() => later(null, CLOSE_AFTER_MS)}
        >
          {content}
        </TooltipWindow>
      )}
    </>
  );
}

function TooltipWindow({
  id,
  anchor,
  onClose,
  onEnter,
  onLeave,
  children,
}: {
  id: string;
  anchor: HTMLElement;
  onClose: () => void;
  onEnter: () => void;
  onLeave: () => void;
  children: ReactNode;
}) {
  const element = useRef<HTMLDivElement>(null);
  // Placed before it is painted: above the anchor, or below where there is no room.
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const around = anchor.getBoundingClientRect();
    const { width, height } = current.getBoundingClientRect();
    const above = around.top - height - GAP_PX;
    const left = around.left + (around.width - width) / 2;
    current.style.top = `${above >= EDGE_PX ? above : around.bottom + GAP_PX}px`;
    current.style.left = `${Math.max(EDGE_PX, Math.min(left, innerWidth - width - EDGE_PX))}px`;
  });
  useEffect(() => {
    const onKey = ({ key }: globalThis.KeyboardEvent) => {
      if (key === 'Escape') onClose();
    };
    window.addEventListener('scroll', onClose, true);
    window.addEventListener('resize', onClose);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('scroll', onClose, true);
      window.removeEventListener('resize', onClose);
      window.removeEventListener('keydown', onKey);
    };
  });
  return createPortal(
    <div
      ref={element}
      id={id}
      role="tooltip"
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
      className="fixed top-0 left-0 z-60 w-max max-w-72 whitespace-pre-line rounded border border-line-strong bg-raised px-2 py-1 text-fg text-xs"
    >
      {children}
    </div>,
    document.body,
  );
}
