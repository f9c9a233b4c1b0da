import type { ReactNode } from 'react'
import { ScrollArea } from '#components/ui/layout/scroll-area'
import { Tabs } from '#components/ui/layout/tabs'
import { ZonedTime } from '#components/ui/zoned-time'
import type { SandboxMessageDetail } from '#lib/contracts/sandbox/sandbox'

export const MAIL_PARTS = ['html', 'text', 'headers', 'raw'] as const
export type MailPart = (typeof MAIL_PARTS)[number]

type Props = {
  mail: SandboxMessageDetail
  part: MailPart
  toHref: (part: MailPart) => string
  zone: string
  actions?: ReactNode
}

const LABELS: Record<MailPart, string> = { html: 'HTML', text: 'Text', headers: 'Headers', raw: 'Source' }

/**
 * The message as the recipient sees it. Untrusted HTML is in a frame without scripts, forms or our origin.
 */
export function MailView({ mail, part, toHref, zone, actions }: Props) {
  return (
    <article className="min-w-0 rounded-md border border-border bg-surface text-sm">
      <header className="grid gap-1 px-4 pt-3">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <h2 className="text-base font-semibold wrap-anywhere">{mail.subject || '(no subject)'}</h2>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
        <p className="text-muted wrap-anywhere">
          {senderLabel(mail)} to {mail.rcpt_to} · <ZonedTime at={mail.received_at} zone={zone} /> {zone}
        </p>
        <div className="mt-1 border-b border-border">
          <Tabs
            label="Parts of the message"
            tabs={MAIL_PARTS.map((one) => ({ href: toHref(one), label: LABELS[one], current: one === part }))}
          />
        </div>
      </header>
      <MailBody mail={mail} part={part} />
    </article>
  )
}

const senderLabel = ({ from, from_address }: SandboxMessageDetail) =>
  from?.name ? `${from.name} <${from.address}>` : from_address

function MailBody({ mail, part }: Pick<Props, 'mail' | 'part'>) {
  if (part === 'html') {
    // Links open in new pages outside the frame's restrictions, as from a mail program. The background is
    // white, because black text on a dark background would be unreadable.
    return (
      <iframe
        title="Message"
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        srcDoc={mail.display_html}
        className="h-[min(44vh,20rem)] w-full rounded-b-md border-0 bg-[white] [color-scheme:light]"
      />
    )
  }
  if (part === 'headers') {
    return (
      <dl className="grid gap-x-4 gap-y-1 p-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
        {mail.headers.map((header) => (
          <div key={`${header.name} ${header.value}`} className="contents">
            <dt className="text-muted">{header.name}</dt>
            <dd className="font-mono text-xs leading-5 wrap-anywhere">{header.value}</dd>
          </div>
        ))}
      </dl>
    )
  }
  return (
    <ScrollArea label={LABELS[part]} className="max-h-[60vh]">
      <pre
        className={
          part === 'raw'
            ? 'p-4 font-mono text-xs leading-5'
            : 'p-4 font-sans leading-6 whitespace-pre-wrap wrap-anywhere'
        }
      >
        {part === 'raw' ? mail.raw : mail.text}
      </pre>
    </ScrollArea>
  )
}
