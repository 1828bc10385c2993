import { createStore } from './store';

/** Whether the list of shortcuts is open: any page may open it. */
export const keyboardHelp = createStore(false);
