'use client'

import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { MAIL_VIEWS, type MailView, saysMore, toMailView } from '#components/messages/mail-views'
import { SegmentedControl } from '#components/ui/controls/segmented-control'
import { Callout } from '#components/ui/feedback/callout'
import { Skeleton } from '#components/ui/feedback/skeleton'
import { type ContentNote, ContentNotes } from './content-notes.tsx'
import { LeadPager } from './lead-pager.tsx'

const Bytes = dynamic(() => import('./mail-bytes.tsx').then((module) => module.MailBytes), {
  loading: () => null,
})
const MailFrame = dynamic(
  () => import('#components/messages/mail-frame').then((module) => module.MailFrame),
  { loading: () => null },
)

/** A step as one lead would get it, rendered by the functions that render what is sent. */
export type StepRendered = {
  to: string | null
  from: string | null
  subject: string | null
  text: string
  /** The HTML part as delivered; null if it is no email. */
  html: string | null
  /** The raw email; null if it is no email. */
  raw: string | null
  problems: string[]
  notes: string[]
  /** What spam filters may object to. */
  content: ContentNote[]
}

/** Must keep its identity as long as its result is the same: a new function triggers a new request. */
export type RenderLead = (lead_index: number) => Promise<StepRendered>

const PAUSE_MS = 350

type Props = {
  title: string
  leads: number
  lead: number
  onLead: (lead: number) => void
  render: RenderLead
  /** The result of `render` for `lead`, if the server has it already. */
  first?: StepRendered | null
}

export function PreviewPane({ title, leads, lead, onLead, render, first = null }: Props) {
  const { rendered, isStale, isWaiting } = useRendered(render, lead, first)
  const [chosen, setChosen] = useState<MailView | 'bytes' | null>(null)
  const raw = rendered?.raw ?? null
  const view = chosen ?? (saysMore(rendered?.html) ? 'desktop' : 'plain')
  const isBytes = view === 'bytes' && raw !== null
  return (
    <section aria-label="Preview" className="min-w-0 rounded-md border border-border bg-surface text-sm">
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-2 border-b border-border py-2 pr-2 pl-4">
        <h2 className="font-semibold">Preview</h2>
        <LeadPager lead={lead} leads={leads} onLead={onLead} />
      </header>
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-border px-4 py-2">
        <p className="text-muted">{title}</p>
        {raw !== null && (
          <SegmentedControl
            legend="What is shown"
            name="shown"
            value={view}
            options={[...MAIL_VIEWS, { value: 'bytes', label: 'Bytes' }]}
            onChange={(value) => setChosen(value === 'bytes' ? value : toMailView(value))}
          />
        )}
      </div>
      <div aria-live="polite" aria-busy={isWaiting} className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
        {isStale && (
          <Callout tone="warning">The preview could not be refreshed. It shows the previous step.</Callout>
        )}
        {rendered?.problems.map((problem) => (
          <Callout key={problem} tone="danger">
            {problem}
          </Callout>
        ))}
        {!rendered && <Waiting />}
        {rendered && isBytes && <Bytes raw={raw} />}
        {rendered && !isBytes && <Words rendered={rendered} view={view === 'bytes' ? 'plain' : view} />}
        {rendered && !isBytes && rendered.content.length > 0 && <ContentNotes notes={rendered.content} />}
      </div>
    </section>
  )
}

/** Renders again when typing pauses; outdated answers are dropped. */
function useRendered(render: RenderLead, lead: number, first: StepRendered | null) {
  const [rendered, setRendered] = useState(first)
  const [isStale, setStale] = useState(false)
  const [done, setDone] = useState(() => (first ? { render, lead } : null))
  const isDone = done?.render === render && done.lead === lead
  useEffect(() => {
    if (isDone) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      const answer = await render(lead).catch(() => null)
      if (!isCurrent) return
      setStale(answer === null)
      if (answer) setRendered(answer)
      setDone({ render, lead })
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [lead, render, isDone])
  return { rendered, isStale, isWaiting: !isDone }
}

function Words({ rendered, view }: { rendered: StepRendered; view: MailView }) {
  const { from, to, subject, text, html, notes, problems } = rendered
  const isEmpty = problems.length > 0 && !subject && !text
  return (
    <>
      {(from || to) && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
          {from && <Row name="From" value={from} />}
          {to && <Row name="To" value={to} />}
        </dl>
      )}
      {!isEmpty && subject !== null && (
        <p className="font-semibold wrap-anywhere">{subject || '(no subject)'}</p>
      )}
      {html !== null && view !== 'plain' && <MailFrame html={html} view={view} />}
      {!isEmpty && text && (html === null || view === 'plain') && (
        <p className="leading-6 whitespace-pre-wrap wrap-anywhere">{text}</p>
      )}
      {notes.length > 0 && (
        <ul className="grid gap-1 border-t border-border pt-3 text-muted first:border-0 first:pt-0">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="wrap-anywhere">{value}</dd>
    </>
  )
}

function Waiting() {
  return (
    <>
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-24" />
    </>
  )
}
