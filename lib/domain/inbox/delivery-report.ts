import { readHeaders } from '#lib/domain/inbox/headers'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import { asciiAddress } from '#lib/domain/text/ascii-address'

export type ReportedRecipient = {
  address: string | null
  /** RFC 3464 section 2.3.3: failed, delayed, delivered, relayed or expanded; null if missing. */
  action: string | null
  /** "5.1.1" */
  status: string | null
  diagnostic: string | null
}

const DELIVERY_STATUS = /^message\/(global-)?delivery-status$/
const RETURNED = /^(message\/(rfc822|global|rfc822-headers|global-headers|partial)|text\/rfc822-headers)/

/**
 * The groups of a delivery status report (RFC 3464), one per recipient; groups about the whole message are
 * left out.
 */
export function deliveryReport(mail: InboundMail): ReportedRecipient[] | null {
  const parts = mail.reports.filter((part) => DELIVERY_STATUS.test(part.content_type))
  if (parts.length === 0) return null
  return parts.flatMap(({ text }) =>
    text
      .replace(/\r\n?/g, '\n')
      .split(/\n[ \t]*\n/)
      .slice(0, 200)
      .flatMap((group) => readRecipients(readHeaders(group))),
  )
}

type Fields = ReturnType<typeof readHeaders>

function readRecipients(fields: Fields): ReportedRecipient[] {
  const field = (name: string) => fields.find((each) => each.name === name)?.value ?? null
  const final = field('final-recipient')
  const original = field('original-recipient')
  const action =
    field('action')
      ?.split(/[\s;(]/)[0]
      ?.toLowerCase() ?? null
  if (final === null && original === null && action === null) return []
  const diagnostic = field('diagnostic-code') ?? field('x-display-name')
  return [
    {
      // The original recipient comes first: it is the address we wrote to, while aliases are resolved on the
      // way.
      address: addressIn(original) ?? addressIn(final),
      action,
      status: /[245]\.\d{1,3}\.\d{1,3}/.exec(field('status') ?? '')?.[0] ?? null,
      diagnostic: diagnostic?.replace(/^\s*[\w.-]+\s*;\s*/, '').slice(0, 1_000) ?? null,
    },
  ]
}

/** Parses "rfc822; <ada@example.com>" and malformed variants. X.400 addresses are ignored. */
function addressIn(value: string | null): string | null {
  const match = /([^\s<>;,:"'()[\]]{1,250}@[^\s<>;,:"'()[\]]{1,250})/.exec(value?.slice(0, 1_000) ?? '')?.[1]
  return match ? asciiAddress(match.toLowerCase().replace(/\.$/, '')) : null
}

/** The headers of the returned message, from whichever part has them; empty if none does. */
export function returnedHeaders(mail: InboundMail): Fields {
  const part = mail.reports.find(({ content_type }) => RETURNED.test(content_type))
  return part ? readHeaders(part.text) : []
}
