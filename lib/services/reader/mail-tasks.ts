import { parseInbound } from '#lib/domain/inbound/inbound-mail'
import { readMail } from '#lib/domain/read-mail'

/** What is read of mail: `readerOf().mail` is asked for it. */
export const MAIL_TASKS = {
  inbound: (raw: Uint8Array) => parseInbound(raw),
  mail: (raw: Uint8Array) => readMail(raw),
}
