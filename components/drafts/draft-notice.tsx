import { Button } from '#components/ui/controls/button'
import { Callout } from '#components/ui/feedback/callout'
import { RelativeTime } from '#components/ui/relative-time'
import type { EarlierDraft } from './use-draft.tsx'

type Props = {
  /** The subject as at the start of a sentence: "The template". */
  what: string
  earlier: (Pick<EarlierDraft<unknown>, 'state'> & { draft: { at: string } }) | null
  /** Somebody else saved a change meanwhile. */
  isElsewhere?: boolean
  onTake: () => void
  onForget: () => void
}

/** Rendered only in the browser, after it has read its drafts, so `now` is the browser's. */
const Edited = ({ at }: { at: string }) => <RelativeTime at={at} now={new Date().toISOString()} />

/** An unsaved draft in this browser, with the buttons to restore or discard it. */
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
