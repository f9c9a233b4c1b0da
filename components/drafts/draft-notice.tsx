import { Button } from '#components/ui/controls/button'
import { Callout } from '#components/ui/feedback/callout'
import { RelativeTime } from '#components/ui/relative-time'
import type { EarlierDraft } from './use-draft.tsx'

type Props = {
  /** As a sentence begins with it: "The template". */
  what: string
  earlier: (Pick<EarlierDraft<unknown>, 'state'> & { draft: { at: string } }) | null
  /** Somebody saved something else meanwhile. */
  isElsewhere?: boolean
  onTake: () => void
  onForget: () => void
}

/** It is not drawn before the browser looked into what it keeps, so there is no other `now` than its own. */
const Edited = ({ at }: { at: string }) => <RelativeTime at={at} now={new Date().toISOString()} />

/** What this browser kept, and what can be done with it. */
export function DraftNotice({ what, earlier, isElsewhere, onTake, onForget }: Props) {
  return (
    <>
      {earlier?.state === 'restored' && (
        <Callout
          tone="warning"
          role="status"
          action={
            <Button size="sm" onClick={onForget}>
              Discard them
            </Button>
          }
        >
          Restored your unsaved changes, last edited <Edited at={earlier.draft.at} />.
        </Callout>
      )}
      {earlier?.state === 'offered' && (
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
          Your unsaved changes, last edited <Edited at={earlier.draft.at} />, were kept, but {lowered(what)}{' '}
          was changed somewhere else since.
        </Callout>
      )}
      {isElsewhere && (
        <Callout tone="warning" role="status">
          {what} was changed somewhere else. When you save, you choose which version to keep for each field.
        </Callout>
      )}
    </>
  )
}

const lowered = (what: string) => what.slice(0, 1).toLowerCase() + what.slice(1)
