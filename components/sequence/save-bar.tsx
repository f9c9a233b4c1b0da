import { Check, CircleAlert, CircleDot } from 'lucide-react'
import { Button } from '#components/ui/controls/button'
import { Spinner } from '#components/ui/feedback/spinner'
import { Kbd } from '#components/ui/kbd'

type Props = {
  isDirty: boolean
  isSaving: boolean
  /** Number of errors that prevent saving, after the first attempt. */
  problems: number
  onDiscard: () => void
  onSave: () => void
}

/** Always visible: whether everything is saved. */
export function SaveBar({ isDirty, isSaving, problems, onDiscard, onSave }: Props) {
  return (
    <div
      data-unsaved={isDirty || undefined}
      className="sticky top-0 z-10 -mx-4 flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-border bg-bg px-4 py-2 sm:-mx-6 sm:px-6"
    >
      <p role="status" className="flex items-center gap-2 text-sm text-muted [&_svg]:size-4">
        {problems > 0 ? (
          <>
            <CircleAlert aria-hidden className="text-danger" />
            <span className="text-danger">
              {problems === 1 ? '1 field' : `${problems} fields`} to fix before saving
            </span>
          </>
        ) : isDirty ? (
          <>
            <CircleDot aria-hidden className="text-warning" /> Unsaved changes
          </>
        ) : (
          <>
            <Check aria-hidden className="text-success" /> Saved
          </>
        )}
      </p>
      <span className="flex items-center gap-2">
        {isDirty && (
          <Button variant="ghost" aria-disabled={isSaving} onClick={onDiscard}>
            Discard
          </Button>
        )}
        <Button
          variant={isDirty ? 'primary' : 'secondary'}
          aria-busy={isSaving}
          aria-keyshortcuts="Control+S Meta+S"
          onClick={onSave}
        >
          {isSaving && <Spinner />} Save sequence
        </Button>
        <span aria-hidden className="max-lg:hidden">
          <Kbd>Ctrl S</Kbd>
        </span>
      </span>
    </div>
  )
}
