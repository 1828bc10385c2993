'use client';
import Link from 'next/link';
import { Panel } from '@/components/ui/panel';
import { Table, TBody, Td, Tr } from '@/components/ui/tables/table';
import { addressOf } from '@/lib/browser/base-path';
import { links } from '@/lib/browser/links';

export interface ListedRoute {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/** Every route of the HTTP API by subject. Made from a list, because the elements of a hundred rows weigh more than the list. */
export function RouteList({
  subjects,
}: {
  subjects: readonly { readonly subject: string; readonly routes: readonly ListedRoute[] }[];
}) {
  return (
    <div className="flex flex-col gap-3 px-4 pb-6">
      <p className="max-w-prose text-muted text-sm">
        What this console does, for programs. They sign in with an{' '}
        <Link href={links.access('tokens')} className="text-accent underline">
          API token
        </Link>
        . The same as OpenAPI 3.1:{' '}
        <a href={addressOf('/api/v1/openapi.json')} className="text-accent underline">
          /api/v1/openapi.json
        </a>
        .
      </p>
      {subjects.map(({ subject, routes }) => (
        <Panel key={subject} title={subject} flush>
          <Table label={`Routes: ${subject}`}>
            <TBody>
              {routes.map(({ name, method, path, summary }) => (
                <Tr key={name}>
                  <Td fit className="font-mono text-xs xl:min-w-18">
                    {method}
                  </Td>
                  <Td
                    fit
                    className="font-mono text-xs max-md:w-full max-md:whitespace-normal max-md:py-1 xl:min-w-80"
                  >
                    <Link
                      prefetch={false}
                      href={links.apiRoute(name)}
                      className="inline-block max-w-full text-accent [overflow-wrap:anywhere] hover:underline"
                    >
                      {path}
                    </Link>
                    <span className="block font-sans text-muted md:hidden">{summary}</span>
                  </Td>
                  <Td className="whitespace-normal py-1 text-muted max-md:hidden">{summary}</Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        </Panel>
      ))}
    </div>
  );
}
