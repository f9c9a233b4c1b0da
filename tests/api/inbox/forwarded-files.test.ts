import { simpleParser } from 'mailparser'
import { afterEach, describe, expect, test } from 'vitest'
import { ForwardInInbox } from '#lib/contracts/inbox/forward'
import { ReadInboxMessages } from '#lib/contracts/inbox/inbox'
import { DownloadInboxFile } from '#lib/contracts/inbox/inbox-files'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { filesInMailbox, LARGE, named, withFiles } from '#tests/support/files/arrived-files'
import { anAttachment, file, PDF } from '#tests/support/files/attachments'
import { aUser } from '#tests/support/scenes/factories'
import { sink } from '#tests/support/scenes/inbox'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
  // Tests share a database: none may leave work behind that another would find due.
  await db.thread.deleteMany()
  await db.campaign.deleteMany()
})

const CSV = Buffer.from('name\r\nAda\r\n')
const MIB = 1024 * 1024
type Scene = Awaited<ReturnType<typeof withFiles>>

const two = () =>
  withFiles(
    { filename: named('Offer.pdf'), content: PDF },
    { filename: named('list.csv'), type: 'text/csv', content: CSV },
  )

/** The outcome of the forward, and the files of the mail that was sent. */
async function forward({ owner, which }: Pick<Scene, 'owner' | 'which'>, body: object) {
  const before = sink.messages.length
  const answer = await call(ForwardInInbox, {
    as: owner,
    params: which,
    body: { to: 'bob@own.test', ...body },
  })
  const left = sink.messages.slice(before)
  const read = left[0] && (await simpleParser(Buffer.from(left[0].raw, 'latin1')))
  const files = read?.attachments.map(({ filename, content }) => [filename, content])
  return { ...answer, left: left.length, files }
}

const loc = ({ error }: { error: { details?: { loc: unknown }[] } }) => error.details?.[0]?.loc

describe('a forward carries', () => {
  test('all files of the message, or those that it names, and no other', async () => {
    const scene = await two()
    expect((await forward(scene, {})).files).toEqual([
      ['Offer.pdf', PDF],
      ['list.csv', CSV],
    ])
    expect((await forward(scene, { files: [1] })).files).toEqual([['list.csv', CSV]])
    expect((await forward(scene, { files: [1, 0, 1] })).files?.map(([name]) => name)).toEqual([
      'list.csv',
      'Offer.pdf',
    ])
    const { status, files, body } = await forward(scene, { files: [] })
    expect([status, files, body.attachments, body.attachments_kept]).toEqual([201, [], [], false])
  })

  test('files that were uploaded behind them; all of them are saved from it, and go on with it again', async () => {
    const scene = await two()
    const { attachment_id } = await anAttachment(scene.owner, file(new Uint8Array(CSV), 'prices.csv'))
    const { body, files } = await forward(scene, { files: [0], attachment_ids: [attachment_id] })
    const both = [
      ['Offer.pdf', PDF],
      ['prices.csv', CSV],
    ]
    expect(files).toEqual(both)
    const { messages } = (await call(ReadInboxMessages, { as: scene.owner, params: scene.params })).body
    expect(messages.at(-1)).toMatchObject({ kind: 'forward', attachments_kept: true })
    const inbox_message_id = body.inbox_message_id ?? ''
    const which = { ...scene.params, inbox_message_id }
    for (const position of ['0', '1']) {
      const params = { thread_id: which.thread_id ?? '', inbox_message_id, position }
      const saved = await call(DownloadInboxFile, { as: scene.owner, params })
      expect(saved.headers.get('content-disposition')).toContain(`${both[Number(position)]?.[0]}`)
    }
    expect((await forward({ owner: scene.owner, which }, {})).files).toEqual(both)
    // Its own file is kept for as long as the forward exists; the other one belongs to the first message.
    const row = await db.inboxMessage.findUniqueOrThrow({ where: { inbox_message_id } })
    expect(row.attachment_ids).toEqual([attachment_id])
  })

  test('a file of an email that is not kept out of its mailbox, where it is named', async () => {
    // More than is stored, and less than the server accepts.
    const content = LARGE.subarray(0, 400_000)
    const scene = await filesInMailbox(closers, content)
    scene.put()
    expect((await forward(scene, {})).files).toEqual([])
    const { status, files } = await forward(scene, { files: [0] })
    expect([status, files]).toEqual([201, [['Large.pdf', content]]])
  })
})

describe('a forward does not leave', () => {
  test('without a file that it names and that is gone', async () => {
    const scene = await filesInMailbox(closers)
    const { status, error, left } = await forward(scene, { files: [0] })
    expect([status, error.detail, left]).toEqual([409, 'attachment_missing', 0])
    expect(await db.inboxMessage.count({ where: { ...scene.params, kind: 'forward' } })).toBe(0)
  })

  test('with a file that the message has not, or with one of another workspace', async () => {
    const scene = await two()
    const missing = await forward(scene, { files: [0, 2] })
    expect([missing.status, loc(missing), missing.left]).toEqual([422, ['body', 'files'], 0])
    const { attachment_id } = await anAttachment(await aUser())
    const foreign = await forward(scene, { attachment_ids: [attachment_id] })
    expect([foreign.status, loc(foreign), foreign.left]).toEqual([422, ['body', 'attachment_ids'], 0])
  })

  test('with more than an email takes, its own and the others together', async () => {
    const scene = await filesInMailbox(closers, Buffer.alloc(8 * MIB, 'Opener '))
    scene.put()
    const big = await anAttachment(scene.owner, file(new Uint8Array(8 * MIB).fill(65), 'a.txt'))
    const attachment_ids = [big.attachment_id]
    const refused = await forward(scene, { files: [0], attachment_ids })
    expect([refused.status, loc(refused), refused.left]).toEqual([422, ['body', 'files'], 0])
    expect(JSON.stringify(refused.error)).toContain('more than the limit of 20 MB')
    expect((await forward(scene, { files: [], attachment_ids })).status).toBe(201)
  })
})
