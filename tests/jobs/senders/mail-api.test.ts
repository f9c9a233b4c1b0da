import { afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { replyTo } from '#tests/support/scenes/arrivals'
import { minutes } from '#tests/support/scenes/launched'
import { type Play, readField, type Step } from '#tests/support/servers/mail-api'
import { begunOverApi, closeMailApis } from '#tests/support/servers/mail-api-mailbox'
import { aGrant } from '#tests/support/servers/oauth'

afterEach(closeMailApis)

const playAt = (wanted: Step, play: Play) => ({ play: (step: Step) => (step === wanted ? play : undefined) })

describe.each(['google', 'microsoft'] as const)('%s', (vendor) => {
  test('a campaign leaves, and an answer to the Message-ID that the vendor gave ends its lead', async () => {
    const { send, poll, server, actions } = await begunOverApi(vendor, {}, 1)
    await send()
    const [action] = await actions()
    const [raw = ''] = server.sent()
    expect(action).toMatchObject({ status: 'sent', server_message_id: readField(raw, 'Message-ID') })
    const { email } = await db.campaignLead.findFirstOrThrow()
    const to = { name: null, address: email ?? '' }
    const answered = { message_id: action?.server_message_id ?? '', to, from: to, subject: 'Hello' }
    server.deliver(Buffer.from(replyTo(answered as never)).toString(), undefined, minutes(5))
    expect(await poll()).toMatchObject({ failed: 0, mails: 1 })
    expect(await db.campaignLead.findFirstOrThrow()).toMatchObject({ status: 'replied' })
  })

  test('what broke off after it left is found in Sent, and is not uncertain', async () => {
    const { send, server, actions } = await begunOverApi(vendor, playAt('send', { acts: true, drop: true }))
    await send()
    const ids = server.sent().map((raw) => readField(raw, 'Message-ID'))
    expect((await actions()).map(({ status }) => status)).toEqual(['sent', 'sent'])
    expect(new Set((await actions()).map(({ server_message_id }) => server_message_id))).toEqual(new Set(ids))
    await send(minutes(500))
    expect(server.sent()).toHaveLength(2)
  })

  test('a copy that comes late settles it at the next reading; without one it stays uncertain', async () => {
    let isSlow = true
    const isLook = (path: string, query: URLSearchParams) =>
      path.endsWith('/messages') && Boolean(query.get('q') ?? query.get('$filter'))
    const empty = { status: 200, body: { messages: [], value: [] } }
    const { send, poll, server, actions } = await begunOverApi(vendor, {
      play: (step, { path, query }) => {
        if (step === 'send') return { acts: true, status: 504 }
        return isSlow && isLook(path, query) ? empty : undefined
      },
    })
    await send()
    expect((await actions()).map(({ status }) => status)).toEqual(['uncertain', 'uncertain'])
    isSlow = false
    await poll()
    expect((await actions()).map(({ status }) => status)).toEqual(['sent', 'sent'])
    expect(server.sent()).toHaveLength(2)
  })

  test('nothing in Sent shows nothing: it stays uncertain, and is never sent again', async () => {
    const { send, poll, server, actions } = await begunOverApi(vendor, playAt('send', { status: 503 }), 1)
    await send()
    await poll()
    await send(minutes(600))
    expect((await actions()).map(({ status }) => status)).toEqual(['uncertain'])
    expect(
      server.asked.filter(({ method, path }) => method === 'POST' && path.endsWith('send')),
    ).toHaveLength(1)
  })

  test('a token that runs out in mid-send is renewed, and the mail leaves once', async () => {
    // The token is valid for the requests before the sending, and has expired when the mail is sent.
    const last = vendor === 'google' ? 'draft' : 'tag'
    const made = await begunOverApi(vendor, { play: (step) => void (step === last && runOut()) }, 1)
    const runOut = () => made.oauth.live.access.delete('first')
    const { server } = made
    await made.send()
    expect((await made.actions()).map(({ status }) => status)).toEqual(['sent'])
    expect([server.sent().length, server.drafts.size, made.oauth.calls.refresh]).toEqual([1, 0, 1])
  })

  test('at its limit the mailbox waits as long as the vendor says, and its leads keep their places', async () => {
    const { send, actions, row } = await begunOverApi(
      vendor,
      playAt('draft', { status: 429, headers: { 'retry-after': '5400' } }),
    )
    await send()
    const mailbox = await row()
    expect(mailbox).toMatchObject({ status: 'failing', failing_cause: 'throttled' })
    expect(mailbox.next_try_at).toEqual(minutes(90))
    expect((await actions()).every(({ status, attempts }) => status === 'retry' && attempts === 0)).toBe(true)
  })

  test('a revoked sign-in is told once, offers nothing, and what waited goes on after it', async () => {
    const { send, oauth, server, row, actions, mailbox_id } = await begunOverApi(vendor)
    oauth.live.access.clear()
    oauth.live.refresh.clear()
    await send()
    await send(minutes(5))
    expect(await row()).toMatchObject({ status: 'failing', failing_cause: 'signed_out' })
    expect(await db.notification.count({ where: { mailbox_id } })).toBe(1)
    expect(server.sent()).toHaveLength(0)
    await db.mailboxGrant.deleteMany({ where: { mailbox_id } })
    await aGrant(await row(), oauth, { access_token: 'second', access_expires_at: minutes(100_000) })
    await db.mailboxGrant.update({ where: { mailbox_id }, data: { route: 'api' } })
    await send(minutes(200))
    expect((await actions()).every(({ status }) => status === 'sent')).toBe(true)
  })
})
