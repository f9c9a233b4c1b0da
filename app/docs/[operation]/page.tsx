import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { FieldList } from '#components/reference/field-list'
import { MethodBadge } from '#components/reference/method-badge'
import { RefusalList } from '#components/reference/refusal-list'
import { TryIt } from '#components/reference/try-it'
import { CodeBlock } from '#components/ui/code-block'
import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import { Markdown } from '#components/ui/markdown'
import { contracts } from '#lib/contracts/all'
import type { Contract } from '#lib/contracts/contract'
import { exampleAnswer, exampleRequest, fieldRows } from '#lib/contracts/reference'
import { listRefusals } from '#lib/http/openapi'
import { appOrigin } from '#lib/http/session'

const byId = new Map<string, Contract>(contracts.map((contract) => [contract.id, contract]))

export async function generateMetadata({ params }: PageProps<'/docs/[operation]'>): Promise<Metadata> {
  const contract = byId.get((await params).operation)
  return contract ? { title: contract.summary } : {}
}

/** One operation with all its details. */
export default async function OperationPage({ params }: PageProps<'/docs/[operation]'>) {
  const contract = byId.get((await params).operation)
  if (!contract) notFound()
  const { method, path, summary, description, scope, jwt_only, response, status } = contract
  const answer = exampleAnswer(contract)
  const query = contract.query ? fieldRows(contract.query, 'input') : []
  return (
    <article className="grid max-w-7xl grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-4 xl:grid-cols-2">
      <header className="xl:col-span-2">
        <p className="text-sm text-muted">{contract.tag}</p>
        <h1 className="text-2xl font-semibold tracking-tight">{summary}</h1>
        <p className="mt-1 flex flex-wrap items-center gap-2 font-mono text-sm wrap-anywhere">
          <MethodBadge method={method} /> /api/v1{path}
          {scope ? <Badge>scope {scope}</Badge> : <Badge>open to everybody</Badge>}
          {jwt_only && <Badge tone="warning">a person’s token only</Badge>}
        </p>
        {description && (
          <div className="mt-3 grid max-w-prose gap-2">
            <Markdown text={description} />
          </div>
        )}
      </header>
      <div className="grid h-fit grid-cols-[minmax(0,1fr)] gap-4">
        {contract.params && <FieldList title="In the path" rows={fieldRows(contract.params, 'input')} />}
        <FieldList title="In the query" rows={query} />
        {contract.body && <FieldList title="In the body" rows={fieldRows(contract.body, 'input')} />}
        {response && <FieldList title={`Answer, ${status}`} rows={fieldRows(response, 'output')} />}
        <RefusalList refusals={listRefusals(contract)} />
      </div>
      <div className="grid h-fit grid-cols-[minmax(0,1fr)] gap-4">
        <TryIt
          // Resets the form for each operation, so that it starts with that operation's example.
          key={contract.id}
          example={exampleRequest(contract)}
          queryNames={query.filter(({ depth }) => depth === 0).map(({ name }) => name)}
          origin={appOrigin()}
          isOpen={scope === null}
          isDestructive={contract.destructive === true}
        />
        <Panel title={`Example response, ${status}`}>
          {answer ? (
            <CodeBlock label="Answer" code={answer} />
          ) : (
            <p className="text-sm text-muted">{bodyless(contract)}</p>
          )}
        </Panel>
      </div>
    </article>
  )
}

function bodyless({ file, stream }: Contract): string {
  if (stream) return 'A stream of server-sent events.'
  return file ? 'A file.' : 'No body.'
}
