import { LinkButton } from '#components/ui/controls/link-button'
import { MissingState } from '#components/ui/feedback/missing-state'

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <MissingState
        title="Page not found"
        description="It may have been deleted, or it belongs to another account."
        action={<LinkButton href="/">Go to the home page</LinkButton>}
      />
    </main>
  )
}
