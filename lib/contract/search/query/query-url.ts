/** A query in a link: the parameter `q`, as text. */

export const QUERY_PARAMETER = 'q';

/** The query of a link's search part. Empty: everything. What it says is judged by `parseQuery`. */
export function queryFromUrl(search: string | URLSearchParams): string {
  const params = typeof search === 'string' ? new URLSearchParams(search) : search;
  return params.get(QUERY_PARAMETER) ?? '';
}

/** The search part with another query; everything else in it stays. */
export function queryToUrl(query: string, search: string | URLSearchParams = ''): string {
  const params = new URLSearchParams(search);
  params.delete(QUERY_PARAMETER);
  if (query !== '') params.set(QUERY_PARAMETER, query);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
