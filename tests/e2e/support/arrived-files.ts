import { db } from '#lib/db/client'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'
import { aPerson } from './people.ts'
import { aQuestion } from './questions.ts'

export const PDF = Buffer.concat([
  Buffer.from('%PDF-1.7\n'),
  Buffer.from(Uint8Array.from({ length: 512 }, (_, i) => i)),
])

/** Ada's question came with two files, one of which is named like a web page. */
export async function questionWithFiles() {
  const owner = await aPerson()
  const { workspace_id } = owner
  const { mailbox_id } = await connectSandbox({ ...owner, name: 'Petra' }, new Date())
  const { thread_id, path } = await aQuestion({ ...owner, mailbox_id })
  const page = '<script>document.title = "taken over"</script>'
  const raw = Buffer.from(
    `Subject: Prices\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHi\r\n--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="Offer.pdf"\r\n\r\n${PDF.toString('base64')}\r\n--b\r\nContent-Type: text/html\r\nContent-Disposition: attachment; filename="../page.html"\r\n\r\n${page}\r\n--b--\r\n`,
  )
  const place = {
    mailbox_id,
    folder: 'sandbox',
    uid_validity: 1n,
    uid: 1_000_000_000n,
    size_bytes: raw.length,
  }
  const { inbound_message_id } = await db.inboundMessage.create({
    data: {
      ...place,
      workspace_id,
      message_key: '<prices@test>',
      kind: 'reply',
      evidence: [],
      raw: new Uint8Array(raw),
      received_at: new Date(),
    },
  })
  const attachments = [
    { filename: 'Offer.pdf', content_type: 'application/pdf', size_bytes: PDF.length },
    { filename: '../page.html', content_type: 'text/html', size_bytes: page.length },
  ]
  await db.inboxMessage.updateMany({ where: { thread_id }, data: { attachments, inbound_message_id } })
  return { owner, thread_id, path, page, inbound_message_id }
}
