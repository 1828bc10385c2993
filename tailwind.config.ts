import type { Config } from 'tailwindcss';

/** Every colour is a CSS variable of `app/globals.css`, so light and dark are one set of class names. */
const v = (name: string) => `var(--${name})`;

export default {
  content: ['./app/**/*.{ts,tsx}', './components/**/*.{ts,tsx}'],
  darkMode: ['class', '.dark'],
  theme: {
    extend: {
      colors: {
        canvas: v('canvas'),
        panel: v('panel'),
        raised: v('raised'),
        sunken: v('sunken'),
        hover: v('hover'),
        line: { DEFAULT: v('line'), strong: v('line-strong') },
        control: v('control'),
        fg: v('fg'),
        muted: v('muted'),
        faint: v('faint'),
        accent: { DEFAULT: v('accent'), solid: v('accent-solid'), ink: v('accent-ink') },
        soft: { info: v('soft-info'), good: v('soft-good'), warn: v('soft-warn'), bad: v('soft-bad') },
        good: v('good'),
        warn: v('warn'),
        bad: { DEFAULT: v('bad'), solid: v('bad-solid'), ink: v('bad-ink') },
        state: {
          ready: v('state-ready'),
          'in-flight': v('state-in-flight'),
          scheduled: v('state-scheduled'),
          retry: v('state-retry'),
          completed: v('state-completed'),
          dead: v('state-dead'),
          suppressed: v('state-suppressed'),
          trashed: v('state-trashed'),
          held: v('state-held'),
        },
      },
      fontFamily: { sans: v('font-sans'), mono: v('font-mono') },
      // rem, so a reader's own text size still counts; 13px is the base.
      fontSize: {
        '2xs': ['0.6875rem', '1rem'],
        xs: ['0.75rem', '1rem'],
        sm: ['0.8125rem', '1.25rem'],
        base: ['0.875rem', '1.25rem'],
        lg: ['1rem', '1.5rem'],
        xl: ['1.25rem', '1.75rem'],
        '2xl': ['1.5rem', '2rem'],
      },
      borderRadius: { xs: '2px', sm: '3px', DEFAULT: '4px', md: '5px', lg: '7px' },
    },
  },
} satisfies Config;
