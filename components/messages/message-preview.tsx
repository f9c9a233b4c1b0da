'use client'

import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '#components/ui/controls/icon-button'
import { SegmentedControl } from '#components/ui/controls/segmented-control'
import { Callout } from '#components/ui/feedback/callout'
import { Skeleton } from '#components/ui/feedback/skeleton'
import { MailFrame } from './mail-frame.tsx'
import { MAIL_VIEWS, type MailView, saysMore, toMailView } from './mail-views.tsx'
import type { Message } from './message-fields.tsx'

/** A message rendered for one real lead, by the same code that renders what is sent. */
export type Rendered = {
  /** Null if the message has no subject, such as a chat message or an action without text. */
  subject: string | null
  text: string
  /** The HTML part; absent if it is no email, null if it cannot be rendered. */
  html?: string | null
  to: string | null
  problems: string[]
  /** Further information: sender, condition and limits. */
  notes?: string[]
}

export type RenderMessage = (message: Message, lead_index: number) => Promise<Rendered>

/** Must keep its identity as long as its result is the same: a new function triggers a new request. */
type RenderLead = (lead_index: number) => Promise<Rendered>

const PAUSE_MS = 350

/** Renders again when typing pauses; outdated answers are dropped. */
export function MessagePreview({ render, leads }: { render: RenderLead; leads: number }) {
  const [lead, setLead] = useState(0)
  const [rendered, setRendered] = useState<Rendered | null>(null)
  const [isStale, setStale] = useState(false)
  const [chosen, setChosen] = useState<MailView | null>(null)
  const view = chosen ?? (saysMore(rendered?.html) ? 'desktop' : 'plain')

  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(async () => {
      const answer = await render(lead).catch(() => null)
      if (!isCurrent) return
      setStale(answer === null)
      if (answer) setRendered(answer)
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [lead, render])

  return (
    <section aria-label="Preview" className="min-w-0 rounded-md border border-border bg-surface text-sm">
      <header className="flex min-h-11 items-center justify-between gap-2 border-b border-border px-4">
        <span className="truncate">
          <span className="text-muted">To</span> {rendered?.to ?? 'a sample lead'}
        </span>
        {leads > 1 && (
          <span className="flex items-center">
            <IconButton
              small
              label="Previous lead"
              aria-disabled={lead === 0}
              onClick={() => setLead(lead - 1)}
            >
              <ChevronLeft />
            </IconButton>
            <IconButton
              small
              label="Next lead"
              aria-disabled={lead >= leads - 1}
              onClick={() => setLead(lead + 1)}
            >
              <ChevronRight />
            </IconButton>
          </span>
        )}
      </header>
      {/* Also shown before the first answer, since most messages are emails; avoids a layout shift. */}
      {(!rendered || rendered.html) && <Views view={view} onChoose={setChosen} />}
      <div aria-live="polite" className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
        {isStale && (
          <Callout tone="warning">The preview could not be refreshed. It shows the previous text.</Callout>
        )}
        {rendered?.problems.map((problem) => (
          <Callout key={problem} tone="danger">
            {problem}
          </Callout>
        ))}
        {!(rendered && isEmpty(rendered)) && <Body rendered={rendered} view={view} />}
      </div>
    </section>
  )
}

function Views({ view, onChoose }: { view: MailView; onChoose: (view: MailView) => void }) {
  return (
    <div className="border-b border-border px-4 py-2">
      <SegmentedControl
        legend="What is shown"
        name="$shown"
        value={view}
        options={[...MAIL_VIEWS]}
        onChange={(value) => onChoose(toMailView(value))}
      />
    </div>
  )
}

/** Whether there is nothing to show except problems. */
const isEmpty = ({ subject, text, problems, notes }: Rendered) =>
  problems.length > 0 && !subject && !text && !notes

function Body({ rendered, view }: { rendered: Rendered | null; view: MailView }) {
  return rendered ? (
    <>
      {rendered.subject !== null && (
        <p className="font-semibold wrap-anywhere">{rendered.subject || '(no subject)'}</p>
      )}
      {rendered.html && view !== 'plain' ? (
        <MailFrame html={rendered.html} view={view} />
      ) : (
        rendered.text && <p className="leading-6 whitespace-pre-wrap wrap-anywhere">{rendered.text}</p>
      )}
      {rendered.notes && (
        <ul className="grid gap-1 text-muted">
          {rendered.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </>
  ) : (
    <>
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-24" />
    </>
  )
}
