'use client';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { lazyModule } from '../lazy-part';
import { notices } from './toast';

const toaster = lazyModule(() => import('./toaster'));
const NONE: readonly [] = [];

/** Mount once: shows notices, and loads what shows them with the first. */
export function ToasterHost() {
  const waiting = useSyncExternalStore(notices.subscribe, notices.get, () => NONE);
  const [parts, setParts] = useState(() => toaster.get());
  const [isMounted, setMounted] = useState(false);
  useEffect(() => {
    if (waiting.length === 0) return;
    if (parts === null) {
      // A notice that cannot be shown waits for the next one.
      toaster.load().then(setParts, () => undefined);
    } else if (isMounted) {
      notices.set([]);
      for (const { level, title, options } of waiting) parts.show[level](title, options);
    } else setMounted(true);
  }, [waiting, parts, isMounted]);
  return parts && <parts.Toaster />;
}
