'use client'

import { Button } from '#components/ui/controls/button'
import { LinkButton } from '#components/ui/controls/link-button'
import { ErrorState } from '#components/ui/feedback/error-state'

type Props = { error: unknown; retry: () => void }

/** Only server errors have a digest. */
const LOGGED = 'If it happens again, search the server log for the reference below.'

/** The shell stays; only the page shows the error. */
export default function DashboardError({ error, retry }: Props) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : undefined
  return (
    <ErrorState
      title="This page could not be shown"
      description={`Something went wrong on our side. Nothing you saved is lost. Try again. ${digest ? LOGGED : 'If it happens again, reload the page.'}`}
      reference={digest}
      action={
        <>
          <Button variant="primary" onClick={retry}>
            Try again
          </Button>
          <LinkButton href="/home">Go to Home</LinkButton>
        </>
      }
    />
  )
}
