'use client'

import { clsx } from 'clsx'
import { CircleCheck, CircleSlash } from 'lucide-react'
import { Button } from '#components/ui/controls/button'
import type { Card, Resume } from './talk-message.tsx'

type Props = {
  card: Card
  /** `closed`: too late to decide. */
  state: 'open' | 'approved' | 'denied' | 'closed'
  decide: (resume: Resume) => void
}

const OUTCOMES = {
  open: null,
  approved: { words: 'You approved this.', icon: CircleCheck, ink: 'text-success' },
  denied: { words: 'You denied this.', icon: CircleSlash, ink: 'text-muted' },
  closed: null,
} as const
const pre = 'mt-1 max-h-48 overflow-auto rounded-sm bg-sunken p-2 text-xs whitespace-pre-wrap break-words'

/** What exactly would be done, in the server's words, with the buttons to approve or deny. */
export function Approval({ card, state, decide }: Props) {
  const { title, sentences, fields } = card.effect ?? { title: `${card.summary}?`, sentences: [], fields: [] }
  const outcome = OUTCOMES[state]
  const answer = (approved: boolean) => decide({ approval_id: card.approval_id, approved })
  return (
    <section
      aria-label="Approval"
      // Only a pending approval is highlighted.
      className={clsx(
        'space-y-2 rounded-md border p-3',
        state === 'open' ? 'border-warning-border bg-warning-subtle' : 'border-border bg-surface',
      )}
    >
      <p className="font-medium">{title}</p>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {fields.length > 0 && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
          {fields.map(({ label, value }) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="whitespace-pre-wrap break-words">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {card.sends && state === 'open' && <p className="text-muted">This may send messages to people.</p>}
      {state === 'open' && (
        <p className="flex gap-2 pt-1">
          <Button variant="primary" size="sm" onClick={() => answer(true)}>
            Approve
          </Button>
          <Button size="sm" onClick={() => answer(false)}>
            Deny
          </Button>
        </p>
      )}
      {outcome && (
        <p className={clsx('flex items-center gap-1.5', outcome.ink)}>
          <outcome.icon aria-hidden className="size-4 shrink-0" />
          {outcome.words}
        </p>
      )}
      <details className="text-xs">
        <summary className="cursor-pointer text-muted">Details</summary>
        <pre className={pre}>{JSON.stringify(card.arguments, null, 2)}</pre>
        {Object.keys(card.preview).length > 0 && (
          <pre className={pre}>{JSON.stringify(card.preview, null, 2)}</pre>
        )}
      </details>
    </section>
  )
}
