import { afterEach, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { composeMail } from '#lib/providers/mail/compose'
import type { MailOutcome } from '#lib/providers/mail/port'
import { sandboxMessaging } from '#lib/providers/messaging/sandbox'
import { createWebhookMessaging, type MessagingKind } from '#lib/providers/messaging/webhook'
import { gatherDigests } from '#lib/services/telling/gather-notifications'
import type { Channels } from '#lib/services/telling/notification-channels'
import { ACCEPTED } from '#tests/support/doubles/memory-mail'
import { arrive, replyTo } from '#tests/support/scenes/arrivals'
import { aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'
import { APP, instance, later, messagesOf, told } from '#tests/support/scenes/notifications'
import { aMember } from '#tests/support/scenes/team'
import { receiver } from '#tests/support/servers/receiver'

afterEach(async () => {
  await db.campaign.deleteMany()
  await db.notification.deleteMany()
  await db.notificationMessage.deleteMany()
})

describe('a message', () => {
  async function aMessage(answers?: Parameters<typeof instance>[0]) {
    const owner = await aUser()
    await told(owner)
    return { owner, ...instance(answers) }
  }

  test('says that a program wrote it, and is no mail of a campaign', async () => {
    const { outbox, notify } = await aMessage()
    await notify(later(0))
    const [mail] = outbox
    if (!mail) throw new Error('no mail')
    const raw = composeMail(mail).toString()
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(raw).toMatch(/^Message-ID:\s+<notification\.[0-9a-f-]{36}@opener\.example>\r$/m)
    expect(raw).not.toMatch(/List-Unsubscribe/i)
  })

  test('that comes into a mailbox of its owner is neither reply nor bounce', async () => {
    const made = await launched()
    const [first] = (await dispatchAt(MONDAY)).outbox
    if (!first) throw new Error('nothing left')
    await arrive(made.mailbox, replyTo(first), minutes(30))
    const before = await db.campaignLead.findMany({ orderBy: { lead_index: 'asc' } })
    const { outbox, notify } = instance()
    await notify(later(0))
    const [mail] = outbox
    if (!mail) throw new Error('no mail')
    const raw = composeMail(mail).toString()
    const handled = await arrive(made.mailbox, raw, minutes(40))
    expect(handled).toMatchObject({ kind: 'unrelated', campaign_lead_id: null })
    expect(await db.campaignLead.findMany({ orderBy: { lead_index: 'asc' } })).toEqual(before)
  })

  test('under way when its worker died is uncertain, and never sent again', async () => {
    const dying = async () => {
      throw new Error('killed')
    }
    const { owner, outbox, gather, send } = await aMessage({ mail: dying })
    await gather(later(0))
    await expect(send(later(0))).rejects.toThrow('killed')
    expect(await messagesOf(owner)).toMatchObject([{ status: 'sending', attempts: 1 }])
    for (const minute of [1, 11, 600]) await send(later(minute))
    expect(await messagesOf(owner)).toMatchObject([{ status: 'uncertain', attempts: 1 }])
    expect(outbox).toHaveLength(1)
  })

  test('of which nobody knows whether it was taken is not sent again', async () => {
    const { owner, outbox, notify } = await aMessage({ mail: () => ({ outcome: 'unknown', error: 'lost' }) })
    for (const minute of [0, 5, 600]) await notify(later(minute))
    expect(await messagesOf(owner)).toMatchObject([{ status: 'uncertain', response: 'lost' }])
    expect(outbox).toHaveLength(1)
  })

  test('that did not leave is tried again, and some time given up', async () => {
    const never: MailOutcome = { outcome: 'never_left', reason: 'connect', error: 'ECONNREFUSED' }
    const { owner, outbox, gather, send } = await aMessage({ mail: () => never })
    await gather(later(0))
    const offered: number[] = []
    for (let minute = 0; minute < 400; minute += 1) if (await send(later(minute))) offered.push(minute)
    expect(offered).toEqual([0, 1, 6, 21, 81, 321])
    expect(await messagesOf(owner)).toMatchObject([{ status: 'failed', attempts: 6 }])
    expect(outbox).toHaveLength(6)
  })

  test('that waits for another try is not sent to whoever left the workspace, or became a client, meanwhile', async () => {
    let isUp = false
    const never: MailOutcome = { outcome: 'never_left', reason: 'connect', error: 'ECONNREFUSED' }
    const { owner, outbox, gather, send } = await aMessage({ mail: () => (isUp ? ACCEPTED : never) })
    const { workspace_id } = owner
    const leaver = await aMember(owner, 'member')
    const client = await aMember(owner, 'member')
    await gather(later(0))
    expect(await send(later(0))).toBe(3)
    isUp = true
    await db.member.deleteMany({ where: { workspace_id, user_id: leaver.user_id } })
    await db.member.updateMany({ where: { workspace_id, user_id: client.user_id }, data: { role: 'client' } })
    expect(await send(later(1))).toBe(1)
    expect(outbox.at(-1)?.to.address).toBe(owner.email)
    const mine = await messagesOf(owner)
    expect(mine.map(({ status }) => status).sort()).toEqual(['failed', 'failed', 'sent'])
    expect(mine.find(({ user_id }) => user_id === leaver.user_id)?.response).toContain(
      'has left the workspace',
    )
  })

  test('is offered by one of two workers', async () => {
    const { owner, outbox, gather, send } = await aMessage()
    await gather(later(0))
    await Promise.all([send(later(0)), send(later(0))])
    expect(outbox).toHaveLength(1)
    expect(await messagesOf(owner)).toMatchObject([{ status: 'sent', sent_at: later(0) }])
  })

  test('waits where the instance has no such channel, and is not made there', async () => {
    const owner = await aUser()
    await told(owner)
    const none: Channels = { email: null, messaging: null }
    expect(await gatherDigests(pool(), APP, none, later(0))).toBe(0)
    expect(await messagesOf(owner)).toEqual([])
  })
})

describe('a gateway for short messages', () => {
  const message = { id: 'm1', to: '+491701234567', text: 'Hello' }
  const policy = { allow_private_hosts: true }

  test.each([
    ['plain', { id: 'm1', to: message.to, text: 'Hello' }],
    ['telegram', { chat_id: message.to, text: 'Hello' }],
    ['whatsapp', { messaging_product: 'whatsapp', to: message.to, type: 'text', text: { body: 'Hello' } }],
  ] satisfies [MessagingKind, object][])('of kind %s gets its form and the token', async (kind, body) => {
    const gateway = await receiver()
    const driver = createWebhookMessaging({ url: gateway.url, kind, token: 't0ken', policy })
    expect(await driver.send(message)).toMatchObject({ outcome: 'accepted' })
    await gateway.close()
    expect(gateway.received[0]?.headers.authorization).toBe('Bearer t0ken')
    expect(JSON.parse(gateway.received[0]?.body ?? '')).toEqual(body)
  })

  test.each([
    [400, 'refused_for_good'],
    [429, 'refused_for_now'],
    [503, 'refused_for_now'],
    [500, 'unknown'],
  ] as const)('that answers %i means %s', async (status, outcome) => {
    const gateway = await receiver((_, response) => void response.writeHead(status).end())
    const driver = createWebhookMessaging({ url: gateway.url, kind: 'plain', token: null, policy })
    expect(await driver.send(message)).toMatchObject({ outcome })
    await gateway.close()
  })

  test('that breaks the connection may have taken it; one that does not listen, or must not be reached, has not', async () => {
    const gateway = await receiver((_, response) => void response.socket?.destroy())
    const driver = createWebhookMessaging({ url: gateway.url, kind: 'plain', token: null, policy })
    expect(await driver.send(message)).toMatchObject({ outcome: 'unknown' })
    await gateway.close()
    expect(await driver.send(message)).toMatchObject({ outcome: 'never_left' })
    const inside = {
      url: gateway.url,
      kind: 'plain',
      token: null,
      policy: { allow_private_hosts: false },
    } as const
    expect(await createWebhookMessaging(inside).send(message)).toMatchObject({ outcome: 'never_left' })
  })

  test('of the sandbox says that it is one', async () => {
    expect((await sandboxMessaging.send(message)).response).toContain('Sandbox')
  })
})
