import { type RefObject, useEffect } from 'react';

/**
 * Writes the height of something fixed to the end of the window into a variable of the page, which leaves as much room at its end: so that
 * nothing is covered for good. 0 where the element is in the page's flow.
 *
 * @param variable name of the CSS variable, in pixels with `gapPx`
 */
export function useKeptRoom(
  region: RefObject<HTMLElement | null>,
  variable: `--${string}`,
  isVisible: boolean,
  gapPx = 0,
): void {
  useEffect(() => {
    const element = region.current;
    const root = document.documentElement;
    if (!isVisible || !element) return;
    const measure = () => {
      const isFixed = getComputedStyle(element).position === 'fixed';
      root.style.setProperty(variable, isFixed ? `${element.offsetHeight + gapPx}px` : '0px');
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => {
      observer.disconnect();
      root.style.removeProperty(variable);
    };
  }, [region, variable, isVisible, gapPx]);
}
