'use client';
import { Slider as S } from 'radix-ui';
import { useId } from 'react';
import { fullNumber } from '@/lib/format/number';
import { cn } from '../cn';

/**
 * One value between two bounds. Arrow keys move by one, Page Up and Down by ten, Home and End to the bounds.
 */
export function Slider({
  label,
  value,
  onChange,
  min = 0,
  max,
  unit = '',
  format,
  hint,
  disabled,
  className,
}: {
  label: string;
  value: number;
  onChange: (value: number) => void;
  min?: number;
  max: number;
  unit?: string;
  /** Replaces `value unit` where a number is not enough. */
  format?: (value: number) => string;
  hint?: string;
  disabled?: boolean;
  className?: string;
}) {
  const id = useId();
  const text = format ? format(value) : `${fullNumber(value)}${unit && unit !== '%' ? ' ' : ''}${unit}`;
  return (
    <div className={cn('flex flex-col', disabled && 'opacity-50', className)}>
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
        disabled={disabled}
        onValueChange={([v]) => v !== undefined && onChange(v)}
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
