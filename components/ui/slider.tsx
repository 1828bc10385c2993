'use client';
import { Slider as S } from 'radix-ui';
import { useId } from 'react';
import { full } from '@/lib/format/number';
import { cn } from './cn';

/**
 * One value between two bounds. Arrow keys move by `step`, Page Up and Down by ten steps, Home and End to the bounds.
 * `onCommit` fires once, when the hand or the key lets go: save there, not in `onChange`.
 */
export function Slider({
  label,
  value,
  onChange,
  onCommit,
  min = 0,
  max = 100,
  step = 1,
  unit = '',
  format,
  hint,
  disabled,
  className,
}: {
  label: string;
  value: number;
  onChange: (value: number) => void;
  onCommit?: (value: number) => void;
  min?: number;
  max?: number;
  step?: number;
  unit?: string;
  /** Replaces `value unit` where the number alone says too little. */
  format?: (value: number) => string;
  hint?: string;
  disabled?: boolean;
  className?: string;
}) {
  const id = useId();
  const text = format ? format(value) : `${full(value)}${unit && unit !== '%' ? ' ' : ''}${unit}`;
  return (
    <div data-slot="slider" className={cn('flex flex-col', disabled && 'opacity-50', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <span id={`${id}-label`} className="text-muted text-xs">
          {label}
        </span>
        <output className="whitespace-nowrap font-medium text-fg text-xs">{text}</output>
      </div>
      <S.Root
        className="relative flex h-6 w-full touch-none select-none items-center"
        value={[value]}
        min={min}
        max={max}
        step={step}
        disabled={disabled}
        onValueChange={([v]) => v !== undefined && onChange(v)}
        onValueCommit={([v]) => v !== undefined && onCommit?.(v)}
      >
        <S.Track className="relative h-1 grow rounded-full bg-line-strong">
          <S.Range className="absolute h-full rounded-full bg-accent-solid" />
        </S.Track>
        <S.Thumb
          aria-labelledby={`${id}-label`}
          aria-describedby={hint ? `${id}-hint` : undefined}
          aria-valuetext={text}
          className="relative block size-3.5 rounded-full border-2 border-accent-solid bg-panel before:absolute before:-inset-2 before:content-[''] hover:bg-hover"
        />
      </S.Root>
      {hint && (
        <p id={`${id}-hint`} className="text-faint text-xs">
          {hint}
        </p>
      )}
    </div>
  );
}
