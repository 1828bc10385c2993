'use client';
import { useId } from 'react';
import { fullNumber } from '@/lib/format/number';
import { cn } from '../cn';
import styles from './slider.module.css';

/**
 * One value between two bounds. Arrow keys move by one, Page Up and Down by a tenth, Home and End to the bounds.
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
      <input
        type="range"
        className={styles.slider}
        style={{ '--share': max > min ? (value - min) / (max - min) : 0 } as React.CSSProperties}
        value={value}
        min={min}
        max={max}
        disabled={disabled}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        aria-valuetext={text}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
      {hint && (
        <p id={`${id}-hint`} className="text-faint text-xs">
          {hint}
        </p>
      )}
    </div>
  );
}
