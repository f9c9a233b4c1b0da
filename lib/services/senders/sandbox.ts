import type { z } from 'zod'
import type { ListSandboxMessages } from '#lib/contracts/sandbox/sandbox'
import { db } from '#lib/db/client'
import { likeText } from '#lib/db/like'
import { rowsOfPage } from '#lib/db/page'
import type { ReadMail } from '#lib/domain/inbox/read-mail'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { readForDisplay } from '#lib/services/reading/mail'

/** Whether this instance runs a sandbox server, which accepts mail and shows it instead of delivering it. */
export const hasSandbox = () => env().SANDBOX_SMTP_PORT !== undefined

/** Whether a mailbox submits its mail to that server. */
export const isSandboxServer = ({ host, port }: { host: string; port: number }) =>
  hasSandbox() && host === '127.0.0.1' && port === env().SANDBOX_SMTP_PORT

/** Mail belongs to the workspace whose mailbox sent it, or to the owner that the instance wrote to; other mail belongs to nobody. */
function ownedBy(workspaceId: string) {
  if (!hasSandbox()) throw new AppError('not_found', { message: 'This instance has no sandbox.' })
  return { workspace_id: workspaceId }
}

export async function listSandboxMessages(
  workspaceId: string,
  query: z.output<typeof ListSandboxMessages.query>,
) {
  const { page, page_size, search } = query
  const matches = { contains: likeText(search ?? ''), mode: 'insensitive' as const }
  const matching = search
    ? { OR: [{ subject: matches }, { rcpt_to: matches }, { from_address: matches }] }
    : {}
  const where = { ...ownedBy(workspaceId), ...matching }
  const [items, total] = await Promise.all([
    db.sandboxMessage.findMany({
      where,
      omit: { raw: true },
      orderBy: [{ received_at: 'desc' }, { sandbox_message_id: 'desc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.sandboxMessage.count({ where }),
  ])
  return { items, total, page, page_size }
}

/** The mail's bytes as received by the server, for a download. */
export async function readRawMail(workspaceId: string, id: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array((await findMessage(workspaceId, id)).raw)
}

/** One mail as its recipient sees it. */
export async function readSandboxMessage(workspaceId: string, id: string) {
  const { raw, ...row } = await findMessage(workspaceId, id)
  const { subject, message_id, ...mail } = (await readForDisplay(workspaceId, raw)) ?? UNREADABLE
  return { ...mail, ...row, unsubscribe_url: oneClickUrl(mail), raw: new TextDecoder().decode(raw) }
}

const WORDS = 'This email could not be read. It needs more time or memory than allowed.'
const UNREADABLE: ReadMail = {
  from: null,
  to: [],
  subject: '',
  date: null,
  message_id: null,
  in_reply_to: null,
  references: [],
  text: WORDS,
  display_html: `<!doctype html><meta charset="utf-8"><p>${WORDS}</p>`,
  headers: [],
  attachments: [],
}

/** One mail of this workspace, including its bytes. */
export async function findMessage(workspaceId: string, id: string) {
  const row = await db.sandboxMessage.findFirst({
    where: { sandbox_message_id: id, ...ownedBy(workspaceId) },
  })
  if (!row) throw new AppError('message_not_found')
  return row
}

/** RFC 8058: an https URL (http on a local machine), and the header that says that one POST suffices. */
function oneClickUrl({ headers }: Pick<ReadMail, 'headers'>): string | null {
  const value = (name: string) => headers.find((header) => header.name === name)?.value ?? ''
  if (!/^\s*List-Unsubscribe=One-Click\s*$/i.test(value('list-unsubscribe-post'))) return null
  return /<(https?:\/\/[^<>\s]+)>/i.exec(value('list-unsubscribe'))?.[1] ?? null
}
