'use client';
/** Menus. Until somebody opens one it is only its trigger: what opens is loaded later. */
import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  useContext,
  useState,
} from 'react';
import { lazyModule } from '../lazy-part';
import { Slot } from '../slot';
import { toast } from './toast';

type Parts = typeof import('./menu-window');

const parts = lazyModule(() => import('./menu-window'));

interface MenuState {
  /** Null until the menu is opened for the first time. */
  readonly loaded: Parts | null;
  /** Whether that was by keyboard: then the first item has the focus. */
  readonly byKey: boolean;
  readonly open: (byKey: boolean) => void;
}
const MenuContext = createContext<MenuState>({ loaded: null, byKey: false, open: () => undefined });

export function Menu({ children, ...props }: ComponentProps<Parts['Menu']>) {
  const [state, setState] = useState<Omit<MenuState, 'open'>>({ loaded: null, byKey: false });
  const { loaded } = state;
  const open = (byKey: boolean) =>
    void parts.load().then(
      (module) => setState({ loaded: module, byKey }),
      () => toast.error('This part of the page could not be loaded. Check the connection and try again.'),
    );
  return (
    <MenuContext value={{ ...state, open }}>
      {loaded ? (
        <loaded.Menu defaultOpen {...props}>
          {children}
        </loaded.Menu>
      ) : (
        children
      )}
    </MenuContext>
  );
}

export function MenuTrigger(props: ComponentProps<Parts['MenuTrigger']>) {
  const { loaded, open } = useContext(MenuContext);
  if (loaded) return <loaded.MenuTrigger {...props} />;
  const { asChild, ...rest } = props;
  const Element = asChild ? Slot : 'button';
  return (
    <Element
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      data-state="closed"
      onPointerEnter={() => void parts.load().catch(() => undefined)}
      // A click that no pointer made comes from the keyboard.
      onClick={({ detail }: MouseEvent) => open(detail === 0)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        open(true);
      }}
      {...rest}
    />
  );
}

/** Rendered in open menus only. */
function part<Name extends Exclude<keyof Parts, 'Menu' | 'MenuTrigger' | 'MenuContent'>>(
  name: Name,
): Parts[Name] {
  const Part = (props: object) => {
    const { loaded } = useContext(MenuContext);
    if (!loaded) return null;
    const Loaded = loaded[name] as ComponentType<object>;
    return <Loaded {...props} />;
  };
  return Part as Parts[Name];
}

export function MenuContent(props: Omit<ComponentProps<Parts['MenuContent']>, 'focusesFirst'>) {
  const { loaded, byKey } = useContext(MenuContext);
  return loaded && <loaded.MenuContent focusesFirst={byKey} {...props} />;
}
export const MenuItem = part('MenuItem');
export const MenuLabel = part('MenuLabel');
export const MenuNote = part('MenuNote');
export const MenuSeparator = part('MenuSeparator');
export const MenuRadioGroup = part('MenuRadioGroup');
export const MenuRadioItem = part('MenuRadioItem');
