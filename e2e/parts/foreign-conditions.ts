/** What a browser that is not ours does to the console. Each function runs in the page. */

/** How a browser refuses storage, as the end of "storage …". */
export const STORAGE_REFUSALS = {
  throws: () => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
  },
  'is absent': () => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(window, name, { get: () => null });
  },
  'is full': () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
  },
} as const;

export interface Translation {
  /** How often the page changed text that was translated before. */
  rewritten(): number;
  /** Text on show that is not what the page wrote last. */
  outdated(): string[];
}

declare global {
  interface Window {
    translation?: Translation;
  }
}

/**
 * As translation of pages does it: each text becomes `<font><font>text</font></font>`, and so does text that comes later.
 * `wrap`: the page's own text moves into it; `replace`: another text takes its place.
 */
export function translatePage(way: 'wrap' | 'replace'): void {
  const SKIPPED = ['SCRIPT', 'STYLE', 'TEXTAREA', 'TITLE', 'FONT'];
  const shownFor = new Map<Text, HTMLElement>();
  let again = 0;
  const translate = (text: Text) => {
    const parent = text.parentElement;
    if (!parent || SKIPPED.includes(parent.tagName) || text.data.trim() === '') return;
    if (parent.closest('[translate=no]')) return;
    const outer = document.createElement('font');
    const inner = outer.appendChild(document.createElement('font'));
    if (shownFor.has(text)) again += 1;
    shownFor.set(text, outer);
    parent.replaceChild(outer, text);
    inner.append(way === 'wrap' ? text : document.createTextNode(text.data));
  };
  const translateIn = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    texts.forEach(translate);
  };
  translateIn(document.body);
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') translate(target as Text);
      for (const node of addedNodes)
        if (node instanceof Text) translate(node);
        else if (node.nodeName !== 'FONT') translateIn(node);
    }
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
  window.translation = {
    rewritten: () => again,
    outdated: () =>
      [...shownFor]
        .filter(([text, shown]) => shown.isConnected && shown.textContent !== text.data)
        .map(([text, shown]) => `"${shown.textContent}" instead of "${text.data}"`),
  };
}
