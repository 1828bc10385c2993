'use client';
import { useEffect, useRef } from 'react';
import { type PageAction, registerPageActions } from './page-actions';

/** Offers the items of a menu in the finder for as long as the menu's button is on the page. */
export function usePageActions(actions: readonly PageAction[]): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => registerPageActions(() => latest.current), []);
}
