'use client'

import { Markdown } from '#components/ui/markdown'
import { capital } from '#lib/domain/text/capital'
import { Approval } from './approval.tsx'
import type { Resume } from './talk-message.tsx'
import { type Card, isTool, type TalkMessage, type TalkPart, type TalkTool } from './talk-message.tsx'

type Props = { message: TalkMessage; isLast: boolean; busy: boolean; decide: (resume: Resume) => void }

const json = (value: unknown) => JSON.stringify(value, null, 2)
const pre = 'mt-1 max-h-48 overflow-auto rounded-sm bg-sunken p-2 whitespace-pre-wrap break-words'

/** listCampaignLeads becomes "List campaign leads". */
function words(operation: string): string {
  const spaced = operation.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return capital(spaced)
}

function outcomeLabel({ state, output, approval }: TalkTool, busy: boolean): string {
  if (approval?.approved === false) return 'not done'
  if (state === 'output-available') return output?.ok === false ? 'failed' : ''
  if (state === 'output-error') return 'failed'
  if (state === 'output-denied') return 'not done'
  return busy ? 'running…' : ''
}

function Tool({ part, busy }: { part: TalkTool; busy: boolean }) {
  const { operation, query } = part.input ?? {}
  const name = part.type === 'tool-find_operations' ? `Looked for ${query ?? ''}` : words(operation ?? '')
  const outcome = outcomeLabel(part, busy)
  return (
    <details className="rounded-sm border border-border px-2 py-1 text-xs text-muted">
      <summary className="cursor-pointer">
        {name}
        {outcome && `: ${outcome}`}
      </summary>
      <pre className={pre}>{json(part.input)}</pre>
      {part.output !== undefined && <pre className={pre}>{json(part.output)}</pre>}
    </details>
  )
}

/**
 * The state of an approval card: open while its call waits and nothing runs. Sending another message means
 * no.
 */
function cardState(card: Card, parts: TalkPart[], { isLast, busy }: Pick<Props, 'isLast' | 'busy'>) {
  const call = parts.filter(isTool).find(({ approval }) => approval?.id === card.approval_id)
  if (call?.approval?.approved !== undefined) return call.approval.approved ? 'approved' : 'denied'
  if (call?.state !== 'approval-requested') return 'closed'
  if (!isLast) return 'denied'
  return busy ? 'closed' : 'open'
}

/** One message: text, tool calls and approval cards. */
export function Message({ message, isLast, busy, decide }: Props) {
  const { parts } = message
  return (
    <li
      className={
        message.role === 'user'
          ? 'ml-8 rounded-md bg-accent-subtle px-3 py-2 whitespace-pre-wrap break-words'
          : 'space-y-2 break-words'
      }
    >
      <span className="sr-only">{message.role === 'user' ? 'You:' : 'Assistant:'}</span>
      {parts.map((part, index) => {
        const key = isTool(part) ? part.toolCallId : `${part.type}-${index}`
        if (part.type === 'text' && message.role === 'user') return <p key={key}>{part.text}</p>
        if (part.type === 'text') return <Markdown key={key} text={part.text} />
        if (part.type === 'data-approval') {
          const card = part.data
          const state = cardState(card, parts, { isLast, busy })
          return <Approval key={key} card={card} state={state} decide={decide} />
        }
        // A pending approval is shown in its card.
        const isShown = isTool(part) && part.state !== 'approval-requested'
        return isShown ? <Tool key={key} part={part} busy={busy} /> : null
      })}
    </li>
  )
}
