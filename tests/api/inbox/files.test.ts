import { afterEach, describe, expect, test } from 'vitest'
import { ReadInboxThread } from '#lib/contracts/inbox/inbox'
import { ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import { DownloadInboxFile } from '#lib/contracts/inbox/inbox-files'
import { db } from '#lib/db/client'
import { downloadInboxFile } from '#lib/services/inbox/thread/files'
import { call } from '#tests/support/call'
import { filesInMailbox, LARGE, named, withFiles } from '#tests/support/files/arrived-files'
import { anAttachment, file, PDF } from '#tests/support/files/attachments'
import { aUser } from '#tests/support/scenes/factories'
import { answered } from '#tests/support/scenes/inbox'
import { minutes } from '#tests/support/scenes/launched'
import { aMember } from '#tests/support/scenes/team'
import type { ImapFolder } from '#tests/support/servers/imap'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
  // Tests share a database: none may leave work behind that another would find due.
  await db.thread.deleteMany()
  await db.campaign.deleteMany()
})

async function bytesOf(owner: { workspace_id: string }, which: Record<string, string>, position = 0) {
  const asked = { ...(which as { thread_id: string; inbox_message_id: string }), position }
  const { filename, parts } = await downloadInboxFile(owner.workspace_id, asked, minutes(60))
  const chunks: Uint8Array[] = []
  for await (const chunk of parts) chunks.push(chunk)
  return [filename, Buffer.concat(chunks)] as const
}

const at = (which: Record<string, string>, position: number | string = 0) => ({
  ...(which as { thread_id: string; inbox_message_id: string }),
  position: String(position),
})

describe('a file that came in', () => {
  test('is saved byte for byte by its place, as a download that no browser takes for a page', async () => {
    const page = Buffer.from('<script>alert(1)</script>')
    const { owner, which } = await withFiles(
      { filename: named('Offer.pdf'), content: PDF },
      { filename: named('page.html'), type: 'text/html', content: page },
    )
    expect(await bytesOf(owner, which)).toEqual(['Offer.pdf', PDF])
    expect(await bytesOf(owner, which, 1)).toEqual(['page.html', page])
    const { status, headers } = await call(DownloadInboxFile, { as: owner, params: at(which, 1) })
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'application/octet-stream',
      "attachment; filename*=UTF-8''page.html",
    ])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  })

  test('is told from what reports consist of, which stands before it', async () => {
    const { owner, which, latest } = await withFiles(
      { filename: named('old.eml'), type: 'message/rfc822', content: Buffer.from('Subject: x\r\n\r\nx') },
      { filename: named('Offer.pdf'), content: PDF },
    )
    expect(latest.attachments.map(({ filename }) => filename)).toEqual(['Offer.pdf'])
    expect(await bytesOf(owner, which)).toEqual(['Offer.pdf', PDF])
  })

  test.each([
    ['a path', named('../../etc/passwd'), 'passwd'],
    ['a path of Windows', named('C:\\\\Windows\\\\evil.pdf'), 'evil.pdf'],
    ['a line’s end', "filename*=utf-8''a%0D%0ASet-Cookie%3A%20x.pdf", 'aSet-Cookie_ x.pdf'],
    ['another reading direction', "filename*=utf-8''gnp%E2%80%AEfdp.exe", 'gnpfdp.exe'],
    ['a quote', "filename*=utf-8''a%22%3B%20x%3D%22.pdf", 'a_; x=_.pdf'],
    ['nothing but dots', named('...'), 'attachment'],
    ['an astral letter', "filename*=utf-8''%F0%9F%93%8E.pdf", '📎.pdf'],
  ])('has a name that is safe to save, of %s', async (_, filename, expected) => {
    const { owner, which } = await withFiles({ filename, content: PDF })
    expect(await bytesOf(owner, which)).toEqual([expected, PDF])
    const { status, headers } = await call(DownloadInboxFile, { as: owner, params: at(which) })
    expect([status, headers.get('set-cookie')]).toEqual([200, null])
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename*=UTF-8''${encodeURIComponent(expected)}`,
    )
  })

  test('is never unpacked: an archive comes as it is', async () => {
    // The beginning of a ZIP that declares a size of 4 GB.
    const bomb = Buffer.concat([
      Buffer.from('PK\x03\x04\x14\0\0\0\x08\0'),
      Buffer.alloc(8),
      Buffer.alloc(20_000, 255),
    ])
    const { owner, which } = await withFiles({
      filename: named('b.zip'),
      type: 'application/zip',
      content: bomb,
    })
    expect(await bytesOf(owner, which)).toEqual(['b.zip', bomb])
  })

  test('is there for whoever may read the conversation, and for nobody else', async () => {
    const { owner, which, campaign_id } = await withFiles({ filename: named('Offer.pdf'), content: PDF })
    const [other, viewer, client] = [
      await aUser(),
      await aMember(owner, 'viewer'),
      await aMember(owner, 'client'),
    ]
    const statusFor = async (as: { user_id: string }, params = at(which)) =>
      (await call(DownloadInboxFile, { as, params })).status
    expect([await statusFor(viewer), await statusFor(client), await statusFor(other)]).toEqual([
      200, 404, 404,
    ])
    const { workspace_id } = owner
    await db.campaignClient.create({ data: { workspace_id, campaign_id, user_id: client.user_id } })
    expect(await statusFor(client)).toBe(200)
    for (const position of [1, 99, 100, '-1', '0x0', 'x', '1e0', '99999999999999999999'])
      expect(await statusFor(owner, at(which, position)), `${position}`).toBe(404)
    // A file of another conversation of the same owner.
    const another = await withFiles({ filename: named('b.pdf'), content: PDF })
    const mixed = { ...at(another.which), thread_id: which.thread_id ?? '' }
    expect(await statusFor(another.owner, mixed)).toBe(404)
  })

  test('of an email that could not be read is not taken out of it', async () => {
    const { owner, which } = await withFiles({ filename: named('Offer.pdf'), content: PDF })
    const { inbox_message_id } = which
    await db.inboxMessage.update({ where: { inbox_message_id }, data: { unreadable: 'over_time' } })
    const { status, error } = await call(DownloadInboxFile, { as: owner, params: at(which) })
    expect([status, error.detail]).toEqual([409, 'attachment_missing'])
  })
})

describe('a file of an email that is too large to be kept', () => {
  const large = LARGE
  const inMailbox = (content = large, folders: Record<string, ImapFolder> = {}) =>
    filesInMailbox(closers, content, folders)

  test('is read from its mailbox again, which is not changed by it', async () => {
    const { owner, which, latest, imap, put } = await inMailbox()
    expect(latest.attachments_kept).toBe(false)
    put()
    expect(await bytesOf(owner, which)).toEqual(['Large.pdf', large])
    expect(imap.commands.some((command) => /^SELECT|STORE|EXPUNGE/.test(command))).toBe(false)
  })

  test('is found by its Message-ID where it was moved, or where the folder counts anew', async () => {
    const archive: ImapFolder = { uid_validity: 3, mails: [], special_use: '\\Archive' }
    const moved = await inMailbox(large, { Archive: archive })
    moved.put(archive, 9)
    expect(await bytesOf(moved.owner, moved.which)).toEqual(['Large.pdf', large])
    const anew = await inMailbox()
    anew.inbox.uid_validity = 8
    // Its UID belongs to another mail by now.
    anew.inbox.mails.push({ uid: anew.uid, raw: 'Message-ID: <x@x>\r\n\r\nx', at: minutes(45) })
    anew.put(anew.inbox, 1)
    expect(await bytesOf(anew.owner, anew.which)).toEqual(['Large.pdf', large])
  })

  test('that is no longer there, larger than a download may be, or of no mailbox, is 409 that says so', async () => {
    const { owner, which, mailbox, inbox, put } = await inMailbox()
    const refused = async () => {
      const { status, error } = await call(DownloadInboxFile, { as: owner, params: at(which) })
      return [status, error.detail, error.message]
    }
    expect(await refused()).toEqual([409, 'attachment_missing', 'This email is no longer in its mailbox.'])
    put()
    const [mail] = inbox.mails
    if (mail) mail.raw += 'x'.repeat(37 * 1024 * 1024)
    expect(await refused()).toEqual([409, 'attachment_missing', expect.stringContaining('larger than 36 MB')])
    await db.mailbox.delete({ where: { mailbox_id: mailbox.mailbox_id } })
    expect((await refused()).slice(0, 2)).toEqual([409, 'attachment_missing'])
  })

  test('whose mailbox does not answer is 503, and there again once it does', async () => {
    const { owner, which, mailbox, put } = await inMailbox()
    put()
    const { mailbox_id } = mailbox
    const { imap } = await db.mailbox.findUniqueOrThrow({ where: { mailbox_id } })
    const down = { host: '127.0.0.1', port: 1, security: 'none', username: 'dana' }
    await db.mailbox.update({ where: { mailbox_id }, data: { imap: down } })
    const { status, error } = await call(DownloadInboxFile, { as: owner, params: at(which) })
    expect([status, error.detail]).toEqual([503, 'provider_unavailable'])
    await db.mailbox.update({ where: { mailbox_id }, data: { imap: imap ?? {} } })
    expect(await bytesOf(owner, which)).toEqual(['Large.pdf', large])
  })

  test('of 24 MB is read within the limits of the reader', { timeout: 240_000 }, async () => {
    const most = Buffer.alloc(24 * 1024 * 1024, 'Opener ')
    const { owner, which, put } = await inMailbox(most)
    put()
    const [filename, bytes] = await bytesOf(owner, which)
    expect([filename, bytes.equals(most)]).toEqual(['Large.pdf', true])
  })
})

describe('a file that was sent', () => {
  test('is saved from the answer that it left with; one that the storage lost is said to be missing', async () => {
    const { owner, params } = await answered()
    const csv = Buffer.from('name\r\nAda\n')
    const [one, two] = [
      await anAttachment(owner),
      await anAttachment(owner, file(new Uint8Array(csv), 'a.csv')),
    ]
    const { last_message_id } = (await call(ReadInboxThread, { as: owner, params })).body
    const attachment_ids = [two.attachment_id, one.attachment_id]
    const body = { text: 'Here it is.', attachment_ids, last_message_id }
    const { body: sent } = await call(ReplyInInbox, { as: owner, params, body })
    const which = { ...params, inbox_message_id: sent.inbox_message_id ?? '' }
    expect(await bytesOf(owner, which)).toEqual(['a.csv', csv])
    expect(await bytesOf(owner, which, 1)).toEqual(['Offer.pdf', PDF])
    await db.attachment.update({
      where: { attachment_id: one.attachment_id },
      data: { sha256: '0'.repeat(64) },
    })
    const { error } = await call(DownloadInboxFile, { as: owner, params: at(which, 1) })
    expect(error.detail).toBe('attachment_missing')
  })
})
