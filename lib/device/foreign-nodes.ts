/**
 * Keeps the page whole while a stranger changes its nodes: translation of pages and some extensions put `<font>` around text, or in its
 * place. React knows nothing of that. Removing such text would throw and take the page down, and a new number would be written into text
 * that is no longer on show.
 */

/** Text of the page → the element of a stranger that is on show instead. */
const standIns = new WeakMap<Node, ChildNode>();
const known = new WeakSet<Node>();

const isFont = (node: Node | null): node is HTMLElement => node?.nodeName === 'FONT';

/** The child of `parent` that `node` is on show in: itself, what is around it or what stands for it. Null: there is none. */
function placeOf(parent: Node, node: Node): ChildNode | null {
  let place: Node | null = node;
  while (place !== null && place.parentNode !== parent)
    place = isFont(place.parentNode) ? place.parentNode : null;
  if (place !== null) return place as ChildNode;
  const standIn = standIns.get(node);
  return standIn?.parentNode === parent ? standIn : null;
}

/** Finds which text had to make room for which `<font>`: either in one step, or for a neighbour that came before. */
function notice(record: MutationRecord, observer: MutationObserver): void {
  for (const text of record.removedNodes) {
    if (text.nodeType !== Node.TEXT_NODE || text.isConnected) continue;
    const standIn = [...record.addedNodes, record.previousSibling, record.nextSibling].find(
      (node) => isFont(node) && !known.has(node),
    ) as ChildNode | undefined;
    if (!standIn) continue;
    known.add(standIn);
    standIns.set(text, standIn);
    observer.observe(text, { characterData: true });
  }
}

/** The page wrote into text that is not on show: it takes its place back, and may be translated again. */
function restore(text: Node): void {
  const standIn = standIns.get(text);
  if (!standIn?.isConnected) return;
  standIns.delete(text);
  // React may have put the text elsewhere meanwhile.
  if (text.isConnected) standIn.remove();
  else standIn.replaceWith(text);
}

/** Call it once, before React takes the document over. */
export function allowForeignNodes(root: Document = document): void {
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T;
    const place = placeOf(this, child);
    if (place) removeChild.call(this, place);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, next: Node | null): T {
    if (next === null || next.parentNode === this) return insertBefore.call(this, node, next) as T;
    return insertBefore.call(this, node, placeOf(this, next)) as T;
  };
  new MutationObserver((records, observer) => {
    for (const record of records) {
      if (record.type === 'characterData') restore(record.target);
      else {
        notice(record, observer);
        for (const node of record.addedNodes) restore(node);
      }
    }
  }).observe(root.documentElement, { childList: true, subtree: true });
}
