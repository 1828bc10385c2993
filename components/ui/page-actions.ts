/**
 * A page registers its actions by marking the region of their buttons; the finder offers these buttons. So an action is found exactly
 * where it can be done, with the same label, permission and dialog.
 */

const REGION = 'data-page-actions';
/** Spread on the element around the buttons. */
export const pageActions = { [REGION]: '' } as const;

export interface PageAction {
  readonly label: string;
  readonly run: () => void;
}

/** Without what cannot be done now, and without menus, whose items exist only while they are open. */
const BUTTON = 'button:not(:disabled, [aria-disabled="true"], [aria-haspopup="menu"]), a[href]';

/** The actions on screen, in the order of the page. */
export function readPageActions(root: ParentNode = document): PageAction[] {
  const seen = new Set<string>();
  return [...root.querySelectorAll<HTMLElement>(`[${REGION}]`)]
    .flatMap((region) => [...region.querySelectorAll<HTMLElement>(BUTTON)])
    .flatMap((button) => {
      const label = (button.getAttribute('aria-label') ?? button.textContent ?? '').trim();
      if (label === '' || seen.has(label) || button.closest('[hidden], [inert]')) return [];
      seen.add(label);
      return [{ label, run: () => button.click() }];
    });
}
