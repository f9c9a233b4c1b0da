import { readInbound } from '#lib/domain/inbox/classify'
import { displayDocument } from '#lib/domain/inbox/display-html'
import { boundedHead } from '#lib/domain/inbox/headers'
import { parseInbound } from '#lib/domain/inbox/inbound-mail'
import { readMail } from '#lib/domain/inbox/read-mail'
import { readFile } from '#lib/domain/inbox/written/mail-files'
import { reportsOfFile, reportsOfMail } from '#lib/services/reading/dmarc'

type Arrived = { raw: Uint8Array; received_at: number }

async function inbound({ raw, received_at }: Arrived) {
  const mail = await parseInbound(raw)
  return { mail, reading: readInbound(mail, received_at) }
}

/** The tasks on mail; reader/mail.ts calls them. */
export const MAIL_TASKS = {
  inbound,
  /** Sender and subject of a mail whose body cannot be read. */
  head: ({ raw, received_at }: Arrived) => inbound({ raw: boundedHead(raw).head, received_at }),
  mail: (raw: Uint8Array) => readMail(raw),
  file: ({ raw, position }: { raw: Uint8Array; position: number }) => readFile(raw, position),
  display: (html: string) => displayDocument(html),
  /** The DMARC reports in a mail or a file. */
  reports_of_mail: (raw: Uint8Array) => reportsOfMail(raw),
  reports_of_file: (bytes: Uint8Array) => reportsOfFile(bytes),
}
