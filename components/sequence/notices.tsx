import dynamic from 'next/dynamic'
import type { ComponentProps } from 'react'
import type { DraftNotice as Kept } from '#components/drafts/draft-notice'
import { ActionButton } from '#components/ui/controls/action-button'
import { Callout } from '#components/ui/feedback/callout'
import type { Act } from '#components/ui/use-action'

const DraftNotice = dynamic(
  () => import('#components/drafts/draft-notice').then((module) => module.DraftNotice),
  { loading: () => null },
)

type Props = {
  locked: string | null
  pause: Act | null
  reached: number
  message: string | null
  earlier: ComponentProps<typeof Kept>['earlier']
  isElsewhere: boolean
  onTake: () => void
  onForget: () => void
}

/** Notices above the steps: what is locked and why, restored drafts, and errors. */
export function Notices(props: Props) {
  const { locked, pause, reached, message, earlier, isElsewhere, onTake, onForget } = props
  return (
    <>
      {locked && (
        <Callout
          title={pause ? 'Pause the campaign to change its steps' : 'These steps cannot be changed'}
          action={pause && <ActionButton act={pause}>Pause and edit</ActionButton>}
        >
          {locked}
        </Callout>
      )}
      {!locked && reached > 0 && (
        <Callout>
          Leads have reached {reached === 1 ? 'step 1' : `steps 1 to ${reached}`}: these steps cannot be
          changed or moved. You can change later steps, and see who is affected before you save.
        </Callout>
      )}
      {message && (
        <Callout tone="danger" role="alert">
          {message}
        </Callout>
      )}
      {(earlier || isElsewhere) && (
        <DraftNotice
          what="The sequence"
          earlier={earlier}
          isElsewhere={isElsewhere}
          onTake={onTake}
          onForget={onForget}
        />
      )}
    </>
  )
}
