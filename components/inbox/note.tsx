import { NotebookPen } from 'lucide-react'
import { ActionButton } from '#components/ui/controls/action-button'
import type { Act } from '#components/ui/use-action'
import { ZonedTime } from '#components/ui/zoned-time'
import type { InboxNote } from '#lib/contracts/inbox/inbox-notes'
import { splitMentions } from '#lib/domain/inbox/mentions'

type Props = { note: InboxNote; zone: string; remove: Act | null }

/** An internal note, styled differently because it was not sent. */
export function Note({ note, zone, remove }: Props) {
  const { author_name, created_at, text, mentions } = note
  return (
    <article className="min-w-0 rounded-md border border-dashed border-warning-border bg-warning-subtle text-sm">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 px-4 pt-2.5">
        <NotebookPen aria-hidden className="size-4 shrink-0 text-warning" />
        <h3 className="min-w-0 font-medium wrap-anywhere">{author_name ?? 'Former member'}</h3>
        <span className="text-xs text-muted">Note, not sent</span>
        <span className="ml-auto flex items-center gap-2 text-xs text-muted">
          <ZonedTime at={created_at} zone={zone} />
          {remove && (
            <ActionButton
              size="sm"
              variant="ghost"
              act={remove}
              confirm={{ title: 'Delete this note?', label: 'Delete note', danger: true }}
            >
              Delete
            </ActionButton>
          )}
        </span>
      </header>
      <p className="px-4 pt-1 pb-2.5 whitespace-pre-wrap wrap-anywhere">
        {splitMentions(text, mentions).map((piece, index) =>
          piece.user_id ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, which does not change
            <strong key={index} className="font-medium text-accent-text">
              {piece.text}
            </strong>
          ) : (
            piece.text
          ),
        )}
      </p>
    </article>
  )
}
