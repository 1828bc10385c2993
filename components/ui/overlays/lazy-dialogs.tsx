'use client';
/** Dialogs whose script is loaded when one opens. Parts that are loaded later themselves import `dialog.tsx` and `confirm-dialog.tsx`. */
import { lazyPart } from '../lazy-part';

export const Dialog = lazyPart(() => import('./dialog').then((module) => module.Dialog));
export const DialogContent = lazyPart(() => import('./dialog').then((module) => module.DialogContent));
export const ConfirmDialog = lazyPart(() =>
  import('./confirm-dialog').then((module) => module.ConfirmDialog),
);
