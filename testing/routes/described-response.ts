/** Holds the answer of a route against its description: every route test is a test of the OpenAPI description, too. */
import { isDeepStrictEqual } from 'node:util';
import { API } from '@/lib/contract/api';
import { isContent, type RouteDescription } from '@/lib/contract/api/describe-route';
import { jobActionRoute } from '@/lib/contract/api/job-action-routes';
import { routeErrors } from '@/lib/contract/api/route-errors';
import { problemSchema } from '@/lib/contract/parse-or-throw';
import { answerFault, bodyFault } from './openapi-answer';

/** @throws Error that names the route and what its description does not say */
export async function requireDescribed(
  description: RouteDescription | undefined,
  method: string,
  pathname: string,
  response: Response,
  sent?: string,
): Promise<void> {
  // Only refusals of unknown addresses and methods have none.
  if (description?.path === undefined || method === 'HEAD') return;
  // The client left: it reads no answer.
  if (response.status === 499) return;
  const route = description === jobActionRoute ? actionRoute(pathname) : description;
  if (route === undefined) return;
  const fault = (await faultOf(route, response)) ?? (await documentFault(route, response, sent));
  if (fault !== null) throw new Error(`${method} ${route.path} answered otherwise than described: ${fault}`);
}

/** Undefined: there is no such action. */
const actionRoute = (pathname: string): RouteDescription | undefined =>
  (Object.values(API) as RouteDescription[]).find(
    ({ path }) => path === jobActionRoute.path.replace('{action}', pathname.split('/').at(-1) ?? ''),
  );

async function faultOf(route: RouteDescription, response: Response): Promise<string | null> {
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
  if (response.status >= 400) return problemFault(route, response);
  if (isContent(route.reply)) return route.reply.content.includes(type) ? null : `content type ${type}`;
  if (type !== 'application/json') return `content type ${type}`;
  const body: unknown = await response.clone().json();
  const parsed = route.reply.safeParse(body);
  if (!parsed.success) return parsed.error.message;
  // Parsing removes members that the schema does not have.
  return isDeepStrictEqual(withoutUndefined(parsed.data), body)
    ? null
    : `members that the schema does not have: ${JSON.stringify(body).slice(0, 2_000)}`;
}

async function problemFault(route: RouteDescription, response: Response): Promise<string | null> {
  const problem = problemSchema.strict().safeParse(await response.clone().json());
  if (!problem.success) return problem.error.message;
  const { code } = problem.data;
  return (routeErrors(route) as readonly string[]).includes(code) ? null : `error ${code}`;
}

/** What a program that knows only the document would not understand, or would not have sent. */
async function documentFault(
  route: RouteDescription,
  response: Response,
  sent: string | undefined,
): Promise<string | null> {
  const { status, ok } = response;
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const isJson = /^application\/(problem\+)?json$/.test(type);
  // A stream may have no end: tests that read one call readDescribedLines.
  const value: unknown = isJson ? await response.clone().json() : undefined;
  const fault = answerFault(route, { status, type, value });
  if (fault !== null || !ok) return fault;
  return sent === undefined ? null : bodyFault(route, JSON.parse(sent));
}

const withoutUndefined = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
