'use client';
import { useTheme } from 'next-themes';
import { Monitor, Moon, Sun } from '@/components/ui/icons';
import { Menu, MenuContent, MenuRadioGroup, MenuRadioItem, MenuTrigger } from '../overlays/dropdown-menu';
import { IconButton } from './icon-button';

/** Light, dark or the system's theme. The icon follows the class, so it is right before scripts run. */
export function ThemeToggle() {
  const { theme, setTheme } = useTheme();
  return (
    <Menu>
      <MenuTrigger asChild>
        <IconButton label="Theme" tooltip={false}>
          <Sun aria-hidden className="dark:hidden" />
          <Moon aria-hidden className="hidden dark:block" />
        </IconButton>
      </MenuTrigger>
      <MenuContent className="min-w-36">
        <MenuRadioGroup value={theme} onValueChange={setTheme}>
          <MenuRadioItem value="light">
            <Sun aria-hidden /> Light
          </MenuRadioItem>
          <MenuRadioItem value="dark">
            <Moon aria-hidden /> Dark
          </MenuRadioItem>
          <MenuRadioItem value="system">
            <Monitor aria-hidden /> System
          </MenuRadioItem>
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  );
}
