import { LinkButton } from '#components/ui/controls/link-button'
import { ErrorState } from '#components/ui/feedback/error-state'

export default function DashboardNotFound() {
  return (
    <ErrorState
      isMissing
      title="Page not found"
      description="It may have been deleted, or it is in another workspace."
      action={<LinkButton href="/home">Go to Home</LinkButton>}
    />
  )
}
