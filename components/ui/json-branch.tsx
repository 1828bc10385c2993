'use client';
import { ChevronRight, Lock } from 'lucide-react';
import { useState } from 'react';
import { childCount, type JsonNode } from '@/lib/format/json';
import { count } from '@/lib/format/plural';
import { truncateEnd, visible } from '@/lib/format/text';
import { Badge } from './badge';
import { cn } from './cn';

const STEP = 100;
const LONG = 400;

/** Quoted and escaped as in the source, hidden characters made visible. */
function quoted(value: string): string {
  return visible(JSON.stringify(value));
}

function Leaf({
  node,
  mask,
}: {
  node: Exclude<JsonNode, { kind: 'object' | 'array' }>;
  mask: string | undefined;
}) {
  const [whole, setWhole] = useState(false);
  if (node.kind !== 'string') {
    return (
      <span className={node.kind === 'number' ? 'text-state-ready' : 'text-state-in-flight'}>{node.raw}</span>
    );
  }
  if (node.value === mask)
    return (
      <Badge
        icon={<Lock aria-hidden />}
        className="h-4.5 border border-line bg-panel align-middle font-sans text-muted"
      >
        hidden
      </Badge>
    );
  const long = node.value.length > LONG;
  return (
    <span className="[overflow-wrap:anywhere]">
      <span className="text-state-completed">
        {quoted(whole ? node.value : truncateEnd(node.value, LONG))}
      </span>
      {long && (
        <button
          type="button"
          className="ml-1 min-h-6 text-accent hover:underline"
          onClick={() => setWhole(!whole)}
        >
          {whole ? 'less' : `all ${count(node.value.length, 'character')}`}
        </button>
      )}
    </span>
  );
}

/** One value of the tree, and its children when open. Children are made only when seen, a hundred at a time. */
export function JsonBranch({
  node,
  name,
  open,
  mask,
}: {
  node: JsonNode;
  name?: string;
  open: number;
  mask?: string;
}) {
  const [isOpen, setOpen] = useState(open > 0);
  const [limit, setLimit] = useState(STEP);
  const key = name !== undefined && (
    <>
      <span className="text-fg">{name}</span>
      <span className="text-faint">: </span>
    </>
  );
  if (node.kind !== 'object' && node.kind !== 'array') {
    return (
      <div className="py-px pl-4">
        {key}
        <Leaf node={node} mask={mask} />
      </div>
    );
  }
  const total = childCount(node) ?? 0;
  const what = node.kind === 'object' ? `{ ${count(total, 'key')} }` : `[ ${count(total, 'item')} ]`;
  if (total === 0) {
    return (
      <div className="py-px pl-4">
        {key}
        <span className="text-faint">{node.kind === 'object' ? '{}' : '[]'}</span>
      </div>
    );
  }
  const children =
    node.kind === 'object'
      ? node.entries.slice(0, limit).map((e) => [visible(e.key), e.value] as const)
      : node.items.slice(0, limit).map((v, i) => [String(i), v] as const);
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-6 w-full items-center rounded-xs text-left hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          className={cn('mr-0.5 size-3.5 shrink-0 text-faint', isOpen && 'rotate-90')}
        />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {key}
          <span className="text-faint">{what}</span>
        </span>
      </button>
      {isOpen && (
        <div className="ml-1.5 border-line border-l pl-1.5">
          {children.map(([childName, value], i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes under it, and keys may repeat.
            <JsonBranch key={i} name={childName} node={value} open={open - 1} mask={mask} />
          ))}
          {limit < total && (
            <button
              type="button"
              className="min-h-6 pl-4 text-accent hover:underline"
              onClick={() => setLimit(limit + STEP)}
            >
              {count(Math.min(STEP, total - limit), 'more', 'more')} of {total - limit}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
