import { LinkButton } from '#components/ui/controls/link-button'
import { MissingState } from '#components/ui/feedback/missing-state'

export default function DashboardNotFound() {
  return (
    <MissingState
      title="Page not found"
      description="It may have been deleted, or it is in another workspace."
      action={<LinkButton href="/home">Go to Home</LinkButton>}
    />
  )
}
