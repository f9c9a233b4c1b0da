import { ErrorState } from '#components/ui/error-state'
import { LinkButton } from '#components/ui/link-button'

export default function DashboardNotFound() {
  return (
    <ErrorState
      isMissing
      title="There is nothing at this address"
      description="It may have been deleted, or it belongs to another account."
      action={<LinkButton href="/home">Go to Home</LinkButton>}
    />
  )
}
