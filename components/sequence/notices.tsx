import { ActionButton } from '#components/ui/action-button'
import { Button } from '#components/ui/button'
import { Callout } from '#components/ui/callout'
import type { Act } from '#components/ui/use-action'
import type { Found } from './use-kept.tsx'

type Props = {
  locked: string | null
  pause: Act | null
  reached: number
  message: string | null
  found: Found | null
  isElsewhere: boolean
  onTake: () => void
  onForget: () => void
}

const timeOf = (at: string) =>
  new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** What one must know before the first letter: what is locked and why, what was kept, what went wrong. */
export function Notices(props: Props) {
  const { locked, pause, reached, message, found, isElsewhere, onTake, onForget } = props
  return (
    <>
      {locked && (
        <Callout
          title="These steps cannot be changed now"
          action={pause && <ActionButton act={pause}>Pause and edit</ActionButton>}
        >
          {locked} Moving or removing a step under running leads would send some of them the wrong one.
        </Callout>
      )}
      {!locked && reached > 0 && (
        <Callout>
          Leads have reached {reached === 1 ? 'step 1' : `steps 1 to ${reached}`}: what they got stays as it
          is, in its place. Later steps may be changed; you see for whom before it is saved.
        </Callout>
      )}
      {message && (
        <Callout tone="danger" role="alert">
          {message}
        </Callout>
      )}
      {found?.state === 'restored' && (
        <Callout
          tone="warning"
          role="status"
          action={
            <Button size="sm" onClick={onForget}>
              Discard them
            </Button>
          }
        >
          Unsaved changes of {timeOf(found.draft.at)} stand here again.
        </Callout>
      )}
      {found?.state === 'offered' && (
        <Callout
          tone="warning"
          role="status"
          action={
            <span className="flex gap-2">
              <Button size="sm" onClick={onTake}>
                Use them
              </Button>
              <Button size="sm" variant="ghost" onClick={onForget}>
                Discard them
              </Button>
            </span>
          }
        >
          Unsaved changes of {timeOf(found.draft.at)} were kept, but the sequence was saved from elsewhere
          since.
        </Callout>
      )}
      {isElsewhere && (
        <Callout tone="warning" role="status">
          The sequence was saved from elsewhere meanwhile. Saving replaces that; discard yours to see it.
        </Callout>
      )}
    </>
  )
}
