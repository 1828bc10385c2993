import { cloneElement, type HTMLAttributes, type ReactElement, type ReactNode, type Ref } from 'react';
import { cn } from './cn';

type Handler = (event: unknown) => void;
type Props = Record<string, unknown>;

/**
 * Renders its only child with these props; the child's own win, handlers of both run. Of our own, because a library's would be a part of
 * the script that each page begins with.
 */
export function Slot({
  children,
  ...given
}: HTMLAttributes<HTMLElement> & { children?: ReactNode; ref?: Ref<HTMLElement> }) {
  const child = children as ReactElement<Props>;
  const own = child.props;
  const merged: Props = { ...given, ...own };
  for (const [name, value] of Object.entries(given)) {
    const ofChild = own[name];
    if (ofChild === undefined) merged[name] = value;
    else if (name === 'className') merged[name] = cn(value as string, ofChild as string);
    else if (typeof value === 'function' && typeof ofChild === 'function' && /^on[A-Z]/.test(name))
      merged[name] = (event: unknown) => {
        (ofChild as Handler)(event);
        (value as Handler)(event);
      };
  }
  return cloneElement(child, merged);
}
