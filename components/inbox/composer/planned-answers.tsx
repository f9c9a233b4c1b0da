import { CalendarClock, PencilLine } from 'lucide-react'
import { ActionButton } from '#components/ui/controls/action-button'
import type { Act } from '#components/ui/use-action'
import { ZonedTime } from '#components/ui/zoned-time'
import type { InboxDraft } from '#lib/contracts/inbox/inbox-drafts'
import { Copies } from '../addressed.tsx'
import { FileBadges } from '../files/file-badges.tsx'

type Acts = { takeBack: Act; sendNow: Act; discard: Act }
type Props = { drafts: InboxDraft[]; acts: ((draft: InboxDraft) => Acts) | null; zone: string }

/** Replies that are not sent yet: scheduled ones and members' drafts. */
export function PlannedAnswers({ drafts, acts, zone }: Props) {
  if (drafts.length === 0) return null
  return (
    <ol aria-label="Not sent yet" className="mt-3 grid gap-3">
      {drafts.map((draft) => (
        <li key={draft.draft_id}>
          <PlannedAnswer draft={draft} acts={acts?.(draft) ?? null} zone={zone} />
        </li>
      ))}
    </ol>
  )
}

function PlannedAnswer({ draft, acts, zone }: { draft: InboxDraft; acts: Acts | null; zone: string }) {
  const { author_name, send_at, stopped, text } = draft
  const Icon = send_at ? CalendarClock : PencilLine
  return (
    <article className="min-w-0 rounded-md border border-dashed border-border-strong bg-surface text-sm">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 px-4 pt-2.5">
        <Icon aria-hidden className="size-4 shrink-0 text-muted" />
        <h3 className="min-w-0 font-medium wrap-anywhere">{author_name ?? 'Former member'}</h3>
        <span className="text-xs text-muted">
          {send_at ? (
            <>
              Will be sent <ZonedTime at={send_at} zone={zone} /> {zone}
            </>
          ) : (
            'Draft, not sent'
          )}
        </span>
        {acts && (
          <span className="ml-auto flex items-center gap-1">
            {send_at && (
              <>
                <ActionButton size="sm" variant="ghost" act={acts.takeBack}>
                  Edit
                </ActionButton>
                <ActionButton size="sm" variant="ghost" act={acts.sendNow}>
                  Send now
                </ActionButton>
              </>
            )}
            <ActionButton
              size="sm"
              variant="ghost"
              act={acts.discard}
              confirm={{ title: 'Discard this answer?', label: 'Discard', danger: true }}
            >
              Discard
            </ActionButton>
          </span>
        )}
      </header>
      <Copies cc={draft.cc} bcc={draft.bcc} />
      {stopped && <p className="px-4 pt-1 text-xs text-warning wrap-anywhere">Not sent: {stopped}</p>}
      <p className="px-4 pt-1 pb-2.5 whitespace-pre-wrap wrap-anywhere">{text}</p>
      <FileBadges files={draft.attachments} />
    </article>
  )
}
