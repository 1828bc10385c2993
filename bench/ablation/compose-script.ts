/** Makes a script of the plain design with just the pieces that are asked for. */
import { ALL_PIECES, type PieceName } from './pieces';

export interface ComposedScript {
  readonly lua: string;
  /** Columns in the order of KEYS: only those that the pieces use. */
  readonly columns: readonly string[];
}

/** A line that ends so belongs to the piece. */
const OF_LINE = /\s*--@(\S+)$/;
/** A line that opens a block of lines of the piece; `--}` closes it. */
const OPENS = /^\s*--\{ (\S+)$/;
const CLOSES = /^\s*--\}$/;

/**
 * Keeps the lines without a mark and those of `pieces`; `a|b` marks what either of two needs.
 * @throws Error for marks that name no piece or do not close
 */
export function composeScript(source: string, pieces: readonly PieceName[]): ComposedScript {
  const wanted = (mark: string): boolean => mark.split('|').some((name) => pieces.includes(pieceOf(name)));
  const kept: string[] = [];
  const open: boolean[] = [];
  for (const line of source.trim().split('\n')) {
    const opens = OPENS.exec(line)?.[1];
    const mark = OF_LINE.exec(line)?.[1];
    if (opens !== undefined) open.push(wanted(opens));
    else if (CLOSES.test(line)) {
      if (open.pop() === undefined) throw new Error('A block closes that was never opened.');
    } else if (open.every(Boolean) && (mark === undefined || wanted(mark)))
      kept.push(line.replace(OF_LINE, ''));
  }
  if (open.length > 0) throw new Error('A block does not close.');
  const columns: string[] = [];
  const lua = kept.join('\n').replace(/\bkeys\.(\w+)/g, (_, column: string) => {
    if (!columns.includes(column)) columns.push(column);
    return `KEYS[${columns.indexOf(column) + 1}]`;
  });
  return { lua, columns };
}

function pieceOf(name: string): PieceName {
  const piece = ALL_PIECES.find((known) => known === name);
  if (piece === undefined) throw new Error(`There is no piece ${name}.`);
  return piece;
}
