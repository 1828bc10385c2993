/** The meaning of a color. It always comes with a word or an icon. */
export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad';

export const toneText: Record<Tone, string> = {
  neutral: 'text-muted',
  accent: 'text-accent',
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
};

export const toneSoft: Record<Tone, string> = {
  neutral: 'bg-hover text-muted',
  accent: 'bg-accent/11 text-accent',
  good: 'bg-good/11 text-good',
  warn: 'bg-warn/11 text-warn',
  bad: 'bg-bad/11 text-bad',
};

/** The same as a CSS colour, for SVG and inline fills. */
export const toneVar: Record<Tone, string> = {
  neutral: 'var(--faint)',
  accent: 'var(--accent)',
  good: 'var(--good)',
  warn: 'var(--warn)',
  bad: 'var(--bad)',
};
