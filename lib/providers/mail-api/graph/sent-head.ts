import { z } from 'zod'
import { MESSAGE_REF } from '#lib/providers/mail/message-ref'
import { REF_PROPERTY } from '#lib/providers/mail-api/graph/ask'
import { toHead } from '#lib/providers/mail-api/head'
import type { ApiAnswer, ApiCall } from '#lib/providers/mail-api/http'
import { askFor } from '#lib/providers/mail-api/outcome'

/** PidTagInReplyToId and PidTagInternetReferences: Graph gives no headers of sent mail. */
const IN_REPLY_TO = 'String 0x1042'
const REFERENCES = 'String 0x1039'
const PROPERTIES: Record<string, string> = {
  [IN_REPLY_TO]: 'In-Reply-To',
  [REFERENCES]: 'References',
  [REF_PROPERTY]: MESSAGE_REF,
}

const Person = z.object({ emailAddress: z.object({ address: z.string().nullish() }) })
const People = z.array(Person).nullish()
const Message = z.object({
  internetMessageId: z.string().nullish(),
  from: Person.nullish(),
  toRecipients: People,
  ccRecipients: People,
  bccRecipients: People,
  singleValueExtendedProperties: z.array(z.object({ id: z.string(), value: z.string() })).nullish(),
})

/** Of a sent mail, to whom it went and what it answers, in the form of a mail head: neither its text nor its subject. */
export async function readSentHead(
  ask: (call: ApiCall) => Promise<Extract<ApiAnswer, { status: number }>>,
  id: string,
): Promise<{ head: Uint8Array; bcc: Buffer }> {
  const wanted = Object.keys(PROPERTIES).map((property) => `id eq '${property}'`)
  const query = {
    $select: 'internetMessageId,from,toRecipients,ccRecipients,bccRecipients',
    $expand: `singleValueExtendedProperties($filter=${wanted.join(' or ')})`,
  }
  const message = await askFor(ask, Message, { path: `/messages/${encodeURIComponent(id)}`, query })
  const bcc = toAddresses(message.bccRecipients)
  const head = [
    { name: 'Message-ID', value: message.internetMessageId ?? '' },
    { name: 'From', value: toAddresses(message.from && [message.from]) },
    { name: 'To', value: toAddresses(message.toRecipients) },
    { name: 'Cc', value: toAddresses(message.ccRecipients) },
    { name: 'Bcc', value: bcc },
    ...(message.singleValueExtendedProperties ?? []).map(({ id: property, value }) => ({
      name: fieldName(property),
      value,
    })),
  ].filter(({ name, value }) => name && value)
  return { head: toHead(head), bcc: Buffer.from(bcc && `Bcc: ${bcc}\r\n`) }
}

/** Property names come back in either case. */
const fieldName = (property: string): string =>
  Object.entries(PROPERTIES).find(([id]) => id.toLowerCase() === property.toLowerCase())?.[1] ?? ''

const toAddresses = (people: z.output<typeof People>): string =>
  (people ?? [])
    .flatMap(({ emailAddress: { address } }) => (address ? [`<${address.replace(/[\s<>,;"]/g, '')}>`] : []))
    .join(', ')
