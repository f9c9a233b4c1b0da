import { Button } from '#components/ui/controls/button'
import { Callout } from '#components/ui/feedback/callout'
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

/** What this browser kept, and what can be done with it. */
export function DraftNotice({ what, earlier, isElsewhere, onTake, onForget }: Props) {
  const edited = earlier && new Date(earlier.draft.at).toLocaleString('en-GB')
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
          Your unsaved changes, last edited {edited}, are back.
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
          Your unsaved changes, last edited {edited}, were kept. {what} was changed since.
        </Callout>
      )}
      {isElsewhere && (
        <Callout tone="warning" role="status">
          {what} was changed somewhere else. When you save, you choose what to keep.
        </Callout>
      )}
    </>
  )
}
