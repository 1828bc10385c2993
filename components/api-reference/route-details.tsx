/** One route: an example, what it takes, what it answers, its errors. Rendered on the server, but for the copy buttons. */
import { cn } from '@/components/ui/cn';
import { KeyValue } from '@/components/ui/key-value';
import { Panel } from '@/components/ui/panel';
import { Table, TBody, Td, THead, Th, Tr } from '@/components/ui/tables/table';
import { CodeBlock } from '@/components/ui/text/code-block';
import { PERMISSION_HINTS } from '@/lib/contract/access/grant-scopes';
import type { RouteReference } from '@/lib/contract/api/api-reference';
import { credentialsOf, type RouteDescription } from '@/lib/contract/api/describe-route';

const permissionText = ({ permission }: RouteDescription): string => {
  if (permission === 'public') return 'None, not even a sign-in';
  if (permission === 'signed-in') return 'Any user';
  return `${permission}: ${PERMISSION_HINTS[permission]}`;
};

const CREDENTIAL_TEXTS = { token: 'an API token', session: 'the session of a user' } as const;
const credentialsText = (route: RouteDescription): string =>
  credentialsOf(route)
    .map((credential) => CREDENTIAL_TEXTS[credential])
    .join(' or ') || 'None';

/** On a phone on a separate line. */
const WRAPS = 'whitespace-normal py-1 [overflow-wrap:anywhere] @max-xl:w-full empty:hidden';

export function RouteDetails({ reference }: { reference: RouteReference }) {
  const { route, parameters, body, status, reply, schemas, errors, curl } = reference;
  return (
    <div className="flex flex-col gap-3 px-4 pb-6">
      <Panel title={route.summary}>
        <KeyValue
          className="mb-3"
          items={[
            { label: 'Request', value: `${route.method} ${route.path}`, mono: true },
            { label: 'Permission', value: permissionText(route) },
            { label: 'Sign-in', value: credentialsText(route) },
          ]}
        />
        <CodeBlock text={curl} label="the example" />
      </Panel>
      {parameters.length > 0 && (
        <Panel title="Parameters" flush>
          <Table label="Parameters" region="@container" data-stacked="">
            <THead>
              <tr>
                <Th className="stacked-fill">Name</Th>
                <Th className="stacked-end">In</Th>
                <Th>Type</Th>
                <Th>Notes</Th>
              </tr>
            </THead>
            <TBody>
              {parameters.map(({ name, place, required, type, note }) => (
                <Tr key={name}>
                  <Td fit className="stacked-fill font-mono text-xs">
                    {name}
                    {required ? '' : '?'}
                  </Td>
                  <Td fit className="stacked-end text-muted">
                    {place}
                  </Td>
                  <Td className={cn('font-mono text-xs', WRAPS)}>{type}</Td>
                  <Td className={cn('text-muted', WRAPS)}>{note}</Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        </Panel>
      )}
      {body !== null && (
        <Panel title="Body">
          <CodeBlock text={body} label="the body" />
        </Panel>
      )}
      <Panel title={`Reply, ${status}`}>
        <div className="flex flex-col gap-2">
          <CodeBlock text={reply} label="the reply" />
          {schemas.map(({ name, text }) => (
            <CodeBlock key={name} text={`${name} = ${text}`} label={name} />
          ))}
        </div>
      </Panel>
      <Panel title="Errors">
        <KeyValue items={errors.map(({ status: code, text }) => ({ label: code, value: text }))} />
      </Panel>
    </div>
  );
}
