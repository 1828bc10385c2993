'use client';
import { useMemo, useState } from 'react';
import { ChevronRight, Lock } from '@/components/ui/icons';
import { revealHidden, truncateEnd } from '@/lib/format/display-text';
import { unquoteJson } from '@/lib/format/json-scanner';
import { count } from '@/lib/format/plural';
import { childCount, type JsonNode, readJson } from '@/lib/format/read-json';
import { Badge } from '../badge';
import { cn } from '../cn';
import { CopyButton } from '../controls/copy-button';
import { CodeBlock } from './code-block';

const WHY = {
  invalid: 'Not JSON, so shown as text.',
  deep: 'Nested too deeply for a tree, so shown as text.',
  large: 'Too large for a tree, so shown as text.',
} as const;

/**
 * JSON as a tree that opens and closes. It takes text, not a value, so that numbers beyond 2^53 stay exact. Other text and
 * JSON that is too large or too deep are shown raw.
 */
export function JsonTree({
  text,
  label,
  mask,
}: {
  text: string;
  label: string;
  /** The string that marks a hidden value: shown as a lock. */
  mask: string;
}) {
  const result = useMemo(() => readJson(text), [text]);
  if (!result.ok) {
    return (
      <div className="space-y-1">
        {text.trim() !== '' && <p className="text-faint text-xs">{WHY[result.reason]}</p>}
        <CodeBlock text={text} label={label} />
      </div>
    );
  }
  return (
    <div className="relative min-w-0 rounded border border-line bg-sunken">
      <div className="absolute top-1 right-1 z-10 rounded bg-sunken">
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
      <section
        translate="no"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        className="max-h-96 overflow-auto p-2 pr-9 font-mono text-xs leading-4.5"
      >
        {/* Another text is another tree: what was open in the last one means nothing in this one. */}
        <JsonBranch key={text} node={result.node} open={LEVELS_OPEN} mask={mask} />
      </section>
    </div>
  );
}

/** Levels that start open. */
const LEVELS_OPEN = 2;
const STEP = 100;
const LONG = 400;

/** Quoted and escaped as in the source, hidden characters made visible. */
function quoted(value: string): string {
  return revealHidden(JSON.stringify(value));
}

function Leaf({ node, mask }: { node: Exclude<JsonNode, { kind: 'object' | 'array' }>; mask: string }) {
  const [whole, setWhole] = useState(false);
  if (node.kind !== 'string') {
    return (
      <span className={node.kind === 'number' ? 'text-state-ready' : 'text-state-in-flight'}>
        {node.text}
      </span>
    );
  }
  const value = unquoteJson(node.text);
  if (value === mask)
    return (
      <Badge
        icon={<Lock aria-hidden />}
        className="h-4.5 border border-line bg-panel align-middle font-sans text-muted"
      >
        hidden
      </Badge>
    );
  const long = value.length > LONG;
  return (
    <span className="[overflow-wrap:anywhere]">
      <span className="text-state-completed">{quoted(whole ? value : truncateEnd(value, LONG))}</span>
      {long && (
        <button
          type="button"
          className="ml-1 min-h-6 text-accent hover:underline"
          onClick={() => setWhole(!whole)}
        >
          {whole ? 'less' : `all ${count(value.length, 'character')}`}
        </button>
      )}
    </span>
  );
}

/** One value of the tree, and its children when open. Children are made only when seen, a hundred at a time. */
function JsonBranch({
  node,
  name,
  open,
  mask,
}: {
  node: JsonNode;
  name?: string;
  open: number;
  mask: string;
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
  if (total === 0)
    return (
      <div className="py-px pl-4">
        {key}
        <span className="text-faint">{node.kind === 'object' ? '{}' : '[]'}</span>
      </div>
    );
  const children =
    node.kind === 'object'
      ? node.members.slice(0, limit).map((member) => [revealHidden(member.key), member.value] as const)
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
