import { LinkButton } from '#components/ui/controls/link-button'
import { ErrorState } from '#components/ui/feedback/error-state'

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <ErrorState
        isMissing
        title="Page not found"
        description="It may have been deleted, or it belongs to another account."
        action={<LinkButton href="/">Go to the start page</LinkButton>}
      />
    </main>
  )
}
