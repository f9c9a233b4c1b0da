'use client'

import type { UIMessage } from 'ai'
import { Button } from '#components/ui/button'
import { Markdown } from './markdown.tsx'
import type { Resume } from './use-talk.tsx'

type Card = { approval_id: string; summary: string; sends: boolean; arguments: object; preview: object }
type ToolPart = {
  type: string
  toolCallId: string
  state: string
  input?: { operation?: string; query?: string }
  output?: unknown
}
type Props = { message: UIMessage; busy: boolean; decide: (resume: Resume) => void }

const json = (value: unknown) => JSON.stringify(value, null, 2)
const pre = 'max-h-48 overflow-auto rounded-sm bg-sunken p-2 text-xs whitespace-pre-wrap break-words'

function Tool({ part }: { part: ToolPart }) {
  const name = part.input?.operation ?? part.input?.query ?? 'operations'
  return (
    <details className="rounded-sm border border-border px-2 py-1 text-xs text-muted">
      <summary className="cursor-pointer">
        {part.type === 'tool-find_operations' ? `Looked for ${name}` : name}
      </summary>
      <pre className={pre}>{json(part.input)}</pre>
      {part.output !== undefined && <pre className={pre}>{json(part.output)}</pre>}
    </details>
  )
}

/** What exactly would be done, as the server says it, and the two answers. */
function Approval({ card, open, decide }: { card: Card; open: boolean; decide: Props['decide'] }) {
  const answer = (approved: boolean) => decide({ approval_id: card.approval_id, approved })
  return (
    <section
      aria-label="Approval"
      className="space-y-2 rounded-md border border-warning-border bg-warning-subtle p-3"
    >
      <p className="font-medium">
        {card.summary}
        {card.sends ? ' (sends)' : ''}?
      </p>
      <pre className={pre}>{json(card.arguments)}</pre>
      {Object.keys(card.preview).length > 0 && (
        <details className="text-xs">
          <summary className="cursor-pointer">What it would do</summary>
          <pre className={pre}>{json(card.preview)}</pre>
        </details>
      )}
      {open && (
        <p className="flex gap-2">
          <Button variant="primary" size="sm" onClick={() => answer(true)}>
            Approve
          </Button>
          <Button size="sm" onClick={() => answer(false)}>
            Deny
          </Button>
        </p>
      )}
    </section>
  )
}

/** One message: what was said, what was called, and what is asked for. */
export function Message({ message, busy, decide }: Props) {
  const parts = message.parts as (ToolPart & { text?: string; data?: Card; approval?: { id: string } })[]
  const isOpen = (card: Card) =>
    !busy &&
    parts.some((part) => part.state === 'approval-requested' && part.approval?.id === card.approval_id)
  return (
    <li
      className={
        message.role === 'user' ? 'ml-8 rounded-md bg-accent-subtle px-3 py-2' : 'space-y-2 break-words'
      }
    >
      <span className="sr-only">{message.role === 'user' ? 'You:' : 'Assistant:'}</span>
      {parts.map((part, index) => {
        const key = part.toolCallId ?? `${part.type}-${index}`
        if (part.type === 'text' && message.role === 'user') return <p key={key}>{part.text}</p>
        if (part.type === 'text') return <Markdown key={key} text={part.text ?? ''} />
        if (part.type === 'data-approval' && part.data)
          return <Approval key={key} card={part.data} open={isOpen(part.data)} decide={decide} />
        return part.type.startsWith('tool-') ? <Tool key={key} part={part} /> : null
      })}
    </li>
  )
}
