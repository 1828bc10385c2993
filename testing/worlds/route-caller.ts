/** The HTTP API without a server: finds the route of a path as Next does and calls it with a real Request. */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { RouteDescription } from '@/lib/contract/api/describe-route';
import { requireDescribed } from '../routes/described-response';

const ROOT = join(import.meta.dirname, '../..');
type Handler = ((
  request: Request,
  context: { params: Promise<Record<string, string | string[]>> },
) => Promise<Response>) & { readonly description?: RouteDescription };

/** Every route file of the project: its path pattern and its file. The inventory tests walk this list. */
export function routeFiles(): { pattern: string; file: string }[] {
  const walk = (dir: string): string[] =>
    readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory()
        ? walk(join(dir, entry.name))
        : entry.name === 'route.ts'
          ? [join(dir, entry.name)]
          : [],
    );
  return walk(join(ROOT, 'app')).map((file) => ({
    file,
    pattern: `/${relative(join(ROOT, 'app'), file).replace(/\/?route\.ts$/, '')}`,
  }));
}

/** Whether a route file answers a method, and does not only refuse it with 405. */
export function answersMethod(module: Record<string, unknown>, method: string): boolean {
  const handler = module[method];
  return typeof handler === 'function' && !('refuses' in handler);
}

/**
 * Calls the route that serves `path`.
 * @throws Error when the route has no such method (Next would answer 405), or answers otherwise than its description says
 */
export async function callApi(
  method: string,
  path: string,
  options: { body?: unknown; raw?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: Record<string, unknown>; response: Response }> {
  const url = new URL(path, 'http://127.0.0.1:3000');
  const raw = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const headers = new Headers({
    host: '127.0.0.1:3000',
    ...(raw === undefined ? {} : { 'content-type': 'application/json' }),
    ...options.headers,
  });
  const response = await callRoute(
    new Request(url, { method, headers, body: raw }),
    typeof raw === 'string' ? raw : undefined,
  );
  const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    body: isJson ? ((await response.clone().json()) as Record<string, unknown>) : {},
    response,
  };
}

/**
 * @param sent its body, to be held against the description, too
 * @throws Error as callApi
 */
export async function callRoute(request: Request, sent?: string): Promise<Response> {
  const { method } = request;
  const { pathname } = new URL(request.url);
  const found = match(pathname);
  const module = (await import(/* @vite-ignore */ found.file)) as Record<string, Handler | undefined>;
  const handler = module[method];
  if (!handler) throw new Error(`${found.file} has no ${method}`);
  const response = await handler(request, { params: Promise.resolve(found.params) });
  await requireDescribed(handler.description, method, pathname, response, sent);
  return response;
}

function match(pathname: string): { file: string; params: Record<string, string | string[]> } {
  const segments = pathname.split('/').slice(1);
  const scored = routeFiles().flatMap(({ pattern, file }) => {
    const params = paramsOf(pattern.split('/').slice(1), segments);
    // Fixed segments beat named ones, named ones beat catch-alls, as in Next.
    return params
      ? [{ file, params, score: (pattern.match(/\[/g) ?? []).length + (pattern.includes('[...') ? 100 : 0) }]
      : [];
  });
  const best = scored.sort((a, b) => a.score - b.score)[0];
  if (!best) throw new Error(`no route serves ${pathname}`);
  return best;
}

function paramsOf(pattern: string[], segments: string[]): Record<string, string | string[]> | null {
  const params: Record<string, string | string[]> = {};
  for (const [i, part] of pattern.entries()) {
    const rest = part.match(/^\[\.\.\.(\w+)\]$/)?.[1];
    if (rest) return { ...params, [rest]: segments.slice(i).map(decodeURIComponent) };
    const segment = segments[i];
    if (segment === undefined) return null;
    const name = part.match(/^\[(\w+)\]$/)?.[1];
    if (name) params[name] = decodeURIComponent(segment);
    else if (part !== segment) return null;
  }
  return pattern.length === segments.length ? params : null;
}
