import { MethodBadge } from '#components/reference/method-badge'
import { CodeBlock } from '#components/ui/code-block'
import { Link } from '#components/ui/controls/link'
import { Panel } from '#components/ui/layout/panel'
import { Markdown } from '#components/ui/markdown'
import { contracts } from '#lib/contracts/all'
import { API_DESCRIPTION } from '#lib/http/api-description'
import { appOrigin } from '#lib/http/session'

/** Conventions common to all operations, and a list of them. */
export default function ReferencePage() {
  return (
    <div className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-4">
      <h1 className="text-2xl font-semibold tracking-tight">API reference</h1>
      <div className="max-w-prose">
        <Markdown text={API_DESCRIPTION} />
      </div>
      <CodeBlock
        label="First request"
        code={`curl ${appOrigin()}/api/v1/auth/me -H "Authorization: Bearer $OPENER_KEY"`}
      />
      <p className="max-w-prose text-muted">
        Create a key under{' '}
        <Link href="/api-keys" className="underline">
          API keys
        </Link>
        . Machine-readable:{' '}
        <a href="/api/v1/openapi.json" className="underline">
          /api/v1/openapi.json
        </a>
        .
      </p>
      {Object.entries(Object.groupBy(contracts, ({ tag }) => tag)).map(([tag, operations = []]) => (
        <Panel key={tag} title={tag} flush>
          <ul>
            {operations.map(({ id, method, path, summary }) => (
              <li key={id} className="border-b border-border last:border-0">
                <Link
                  href={`/docs/${id}`}
                  prefetch={false}
                  className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-2 text-sm hover:bg-hover"
                >
                  <span>{summary}</span>
                  <span className="font-mono text-xs text-muted wrap-anywhere">
                    <MethodBadge method={method} /> /api/v1{path}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </Panel>
      ))}
    </div>
  )
}
