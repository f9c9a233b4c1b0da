'use client'

import { useState, useTransition } from 'react'
import { CodeBlock } from '#components/ui/code-block'
import { Button } from '#components/ui/controls/button'
import { Callout } from '#components/ui/feedback/callout'
import { Panel } from '#components/ui/layout/panel'

type Props = { show: () => Promise<string>; origin: string }

/** A short-lived token for trying the API by hand; it is not stored. */
export function MyToken({ show, origin }: Props) {
  const [token, setToken] = useState<string | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [isPending, startTransition] = useTransition()

  function reveal() {
    startTransition(async () => {
      const answer = await show().catch(() => null)
      setToken(answer)
      setFailed(answer === null)
    })
  }

  return (
    <Panel
      title="Your API token"
      description="A JWT with all your rights, valid for 12 hours. Only this token can create API keys through the API."
      action={
        <Button size="sm" onClick={reveal} aria-busy={isPending}>
          {token ? 'Make another' : 'Show a token'}
        </Button>
      }
    >
      {hasFailed && (
        <Callout tone="danger" role="alert">
          The server could not be reached. Try again.
        </Callout>
      )}
      {token ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <CodeBlock label="API token" code={token} />
          <CodeBlock
            label="First request"
            code={`curl ${origin}/api/v1/auth/me -H "Authorization: Bearer ${token.slice(0, 12)}…"`}
          />
        </div>
      ) : (
        <p className="text-sm text-muted">The token is created when you ask for it and is not stored.</p>
      )}
    </Panel>
  )
}
