/** `redrive api`: any request, as the API reference describes it. */
import { type Command, InvalidArgumentError } from 'commander';
import { API } from '@/lib/contract/api';
import { isContent, type RouteDescription } from '@/lib/contract/api/describe-route';
import { contextOf } from '../terminal/command-context';
import { CommandError, EXIT } from '../terminal/exit-codes';
import { jsonValue } from '../terminal/option-values';
import { jsonText } from '../terminal/print-table';
import type { Terminal } from '../terminal/terminal';
import { writeContent } from '../terminal/write-content';

/** In place of the address of the console: only path and query are looked at. */
const CONSOLE = 'http://console';
const PATH_HINT = 'Write a path such as /api/v1/queues/mail, in which % is %25 and / in a name is %2F.';

export function addApiCommand(program: Command, terminal: Terminal): void {
  program
    .command('api <method> <path>')
    .description('send any request of the API, such as GET /api/v1/me')
    .option('--data <json>', 'body; - reads standard input')
    .action(async (method: string, path: string, { data }, command: Command) => {
      const context = contextOf(command, terminal);
      if (!path.startsWith('/') || !URL.canParse(path, CONSOLE)) throw new InvalidArgumentError(PATH_HINT);
      const target = new URL(path, CONSOLE);
      const { name, route, params } = routeAt(method.toUpperCase(), target.pathname);
      const text = data === '-' ? await terminal.readInput() : data;
      if (route.method !== 'GET' && route.permission !== 'view')
        await context.confirm(`${route.summary}: ${path}.`);
      const call = context.api[name] as (input: object) => Promise<unknown>;
      const reply = await call({
        params,
        query: Object.fromEntries(target.searchParams),
        ...(text === undefined ? {} : { body: jsonValue(text).value }),
        idempotencyKey: context.idempotencyKey,
      });
      if (!isContent(route.reply)) return terminal.out(jsonText(reply));
      await writeContent(terminal, reply as Response, context.options.timeout);
    });
}

/** @throws CommandError when no route is there, InvalidArgumentError when the path is none */
export function routeAt(method: string, pathname: string) {
  if (!/^[A-Z]+$/.test(method)) throw new InvalidArgumentError('Write GET, POST, PUT, PATCH or DELETE.');
  const matches = (Object.entries(API) as [keyof typeof API, RouteDescription][]).flatMap(([name, route]) => {
    const params = route.method === method ? paramsIn(route.path, pathname) : null;
    return params ? [{ name, route, params }] : [];
  });
  // Fixed parts of an address beat named ones.
  const [best] = matches.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  if (!best)
    throw new CommandError(`The API has no ${method} ${pathname}. See the page API reference.`, EXIT.usage);
  return best;
}

/** The named parts of an address, `/queues/{queue}`; null: another one. */
function paramsIn(path: string, pathname: string): Record<string, string> | null {
  const parts = path.split('/');
  const given = pathname.split('/');
  if (parts.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [i, part] of parts.entries()) {
    const value = given[i] ?? '';
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== value : value === '') return null;
    if (name !== undefined) params[name] = decoded(value);
  }
  return params;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new InvalidArgumentError(PATH_HINT);
  }
}
