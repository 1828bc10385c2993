/**
 * A page registers its actions by marking the region of their buttons; the finder offers these buttons. So an action is found exactly
 * where it can be done, with the same label, permission and dialog. The items of a menu are registered by `usePageActions`.
 */

const REGION = 'data-page-actions';
/** Spread on the element around the buttons. */
export const pageActions = { [REGION]: '' } as const;
/** The same where several regions have buttons of one label. `detail`: what the buttons of this region are about. */
export const pageActionsOf = (detail: string) => ({ [REGION]: detail }) as const;

export interface PageAction {
  readonly label: string;
  /** Tells it from actions of the same label. */
  readonly detail?: string;
  readonly run: () => void;
}

/** Without what cannot be done now, and without menus, whose items exist only while they are open. */
const BUTTON = 'button:not(:disabled, [aria-disabled="true"], [aria-haspopup="menu"]), a[href]';

/** The items of the menus on the page. */
const menus = new Set<() => readonly PageAction[]>();

/** @returns takes them away again */
export function registerPageActions(read: () => readonly PageAction[]): () => void {
  menus.add(read);
  return () => void menus.delete(read);
}

const actionsIn = (region: HTMLElement): PageAction[] =>
  [...region.querySelectorAll<HTMLElement>(BUTTON)]
    .filter((button) => !button.closest('[hidden], [inert]'))
    .map((button) => ({
      label: (button.getAttribute('aria-label') ?? button.textContent ?? '').trim(),
      detail: region.getAttribute(REGION) || undefined,
      run: () => button.click(),
    }));

/** The actions on screen, in the order of the page; then the items of menus. Of equal ones the first. */
export function readPageActions(root: ParentNode = document): PageAction[] {
  const buttons = [...root.querySelectorAll<HTMLElement>(`[${REGION}]`)].flatMap(actionsIn);
  const byName = new Map<string, PageAction>();
  for (const action of [...buttons, ...[...menus].flatMap((read) => read())]) {
    const name = `${action.label}\n${action.detail ?? ''}`;
    if (action.label !== '' && !byName.has(name)) byName.set(name, action);
  }
  return [...byName.values()];
}
