import { afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { prepareWatchEnd } from '#lib/services/senders/grants/watches'
import { getMailbox } from '#lib/services/senders/mailboxes'
import { eml } from '#tests/support/scenes/inbound-mail'
import { minutes } from '#tests/support/scenes/launched'
import type { Asked } from '#tests/support/servers/mail-api'
import { begunOverApi, closeMailApis } from '#tests/support/servers/mail-api-mailbox'

afterEach(closeMailApis)

const DAY = 24 * 60
const isWatch = ({ path, method }: Asked) =>
  method !== 'DELETE' && (path.endsWith('/watch') || path.startsWith('/v1.0/subscriptions'))
const watches = ({ asked }: { asked: Asked[] }) =>
  asked.filter(isWatch).map(({ method, path }) => `${method} ${path}`)
const watchOf = (mailbox_id: string) => db.mailboxWatch.findUnique({ where: { mailbox_id } })

describe.each(['google', 'microsoft'] as const)('%s', (vendor) => {
  test('it is asked to tell after a reading, and again each day', async () => {
    const { poll, server, mailbox_id, mailbox } = await begunOverApi(vendor, { isTold: true }, 1)
    await poll(minutes(10))
    expect(server.told()).toBe(1)
    const made = await watchOf(mailbox_id)
    expect(made).toMatchObject({ address: mailbox.address.toLowerCase(), tries: 0, said: null })
    await poll(minutes(20))
    await poll(minutes(DAY))
    expect(watches(server)).toHaveLength(1)
    await poll(minutes(DAY + 11))
    expect(watches(server)).toHaveLength(2)
    expect(server.told()).toBe(1)
    const renewed = await watchOf(mailbox_id)
    expect(renewed?.subscription_id).toBe(made?.subscription_id)
    expect(renewed?.expires_at?.getTime()).toBeGreaterThan(made?.expires_at?.getTime() ?? 0)
    // The subscription survives two days without a renewal.
    expect(renewed?.expires_at?.getTime()).toBeGreaterThan(minutes(3 * DAY).getTime())
  })

  test('a vendor that refuses it is asked again after an hour, then two; the mail is read all the same', async () => {
    const { poll, server, mailbox, mailbox_id } = await begunOverApi(vendor, {
      isTold: true,
      play: (_, asked) => (isWatch(asked) ? { status: 403, body: {} } : undefined),
    })
    server.deliver(eml('Message-ID: <a@x>').replace(/\r?\n/g, '\r\n'), undefined, minutes(5))
    expect(await poll(minutes(10))).toMatchObject({ failed: 0, mails: 1 })
    expect(await watchOf(mailbox_id)).toMatchObject({ tries: 1, expires_at: null, subscription_id: null })
    const said = expect.stringContaining('403')
    expect(await getMailbox(mailbox.workspace_id, mailbox_id, minutes(10))).toMatchObject({
      oauth: { watch: { expires_at: null, said } },
    })
    await poll(minutes(60))
    expect(watches(server)).toHaveLength(1)
    await poll(minutes(75))
    await poll(minutes(150))
    expect(watches(server)).toHaveLength(2)
    await poll(minutes(200))
    expect(watches(server)).toHaveLength(3)
  })

  test('where nothing is set up it is asked nothing, nor for a mailbox over IMAP', async () => {
    const plain = await begunOverApi(vendor, {}, 1)
    await plain.poll()
    expect(watches(plain.server)).toEqual([])
    const { poll, server, mailbox_id } = await begunOverApi(vendor, { isTold: true }, 1)
    await db.mailboxGrant.update({ where: { mailbox_id }, data: { route: 'smtp' } })
    await poll()
    expect(watches(server)).toEqual([])
  })

  test('it tells nothing more once the mailbox is removed', async () => {
    const { poll, server, mailbox, mailbox_id, watchers, vendors } = await begunOverApi(
      vendor,
      { isTold: true },
      1,
    )
    await poll()
    const end = await prepareWatchEnd(mailbox.workspace_id, mailbox_id, { watchers, vendors })
    expect(server.told()).toBe(1)
    await db.campaign.deleteMany()
    await db.mailbox.delete({ where: { mailbox_id } })
    await end()
    expect(server.told()).toBe(0)
    expect(await watchOf(mailbox_id)).toBeNull()
  })
})

test('a subscription that Graph does not know any more is made anew', async () => {
  const { poll, server, mailbox_id } = await begunOverApi('microsoft', { isTold: true }, 1)
  await poll(minutes(10))
  const before = await watchOf(mailbox_id)
  if ('subscriptions' in server) server.subscriptions.clear()
  await poll(minutes(DAY + 11))
  expect(watches(server).map((line) => line.split(' ')[0])).toEqual(['POST', 'PATCH', 'POST'])
  const after = await watchOf(mailbox_id)
  expect(after?.subscription_id).not.toBe(before?.subscription_id)
  expect(server.told()).toBe(1)
})
