import { afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { MONDAY, minutes } from '#tests/support/scenes/launched'
import type { aGmailServer } from '#tests/support/servers/gmail'
import type { aGraphServer } from '#tests/support/servers/graph'
import { readField } from '#tests/support/servers/mail-api'
import { begunOverApi, closeMailApis } from '#tests/support/servers/mail-api-mailbox'

afterEach(closeMailApis)

const DAY = minutes(24 * 60 + 5)
type Server = Awaited<ReturnType<typeof aGmailServer>> | Awaited<ReturnType<typeof aGraphServer>>
type Written = { from: string; to: string; headers?: string }

const written = ({ from, to, headers = '' }: Written) =>
  `From: Dana <${from}>\r\nTo: <${to}>\r\nSubject: Secret words\r\nMessage-ID: <hand-${to}@else.test>\r\n${headers}\r\nAs we said.\r\n`

describe.each(['google', 'microsoft'] as const)('%s', (vendor) => {
  async function begun(leads = 2) {
    const made = await begunOverApi(vendor, {}, leads, {})
    await made.send()
    const people = await db.campaignLead.findMany({
      where: { campaign_id: made.campaign_id },
      orderBy: { lead_index: 'asc' },
    })
    const server: Server = made.server
    const write = (mail: Omit<Written, 'from'>, at = minutes(5)) => {
      const raw = written({ from: made.mailbox.address, ...mail })
      return 'threads' in server ? server.deliver(raw, ['SENT'], at) : server.deliver(raw, 'sentitems', at)
    }
    const statuses = async () =>
      (
        await db.campaignLead.findMany({
          where: { campaign_id: made.campaign_id },
          orderBy: { lead_index: 'asc' },
        })
      ).map(({ status }) => status)
    const kept = () => db.inboundMessage.count({ where: { mailbox_id: made.mailbox_id } })
    const email = (index: number) => people[index]?.email ?? ''
    return { ...made, write, statuses, kept, email }
  }
  /** Requests for more than the header of a mail. */
  const bodies = (asked: Server['asked']) =>
    asked.filter(({ path, query }) => path.endsWith('/$value') || query.get('format') === 'raw')

  test('what was written elsewhere ends its lead; what was sent here, and what is private, leaves no trace', async () => {
    const { write, poll, statuses, kept, email, server, row, send } = await begun()
    write({ to: email(0) })
    write({ to: 'mum@home.test' })
    expect(await poll()).toMatchObject({ failed: 0, mails: 1 })
    expect(await statuses()).toEqual(['skipped', 'active'])
    expect(await kept()).toBe(1)
    expect(bodies(server.asked)).toHaveLength(1)
    expect((await row()).sent_polled_at).toEqual(minutes(10))
    expect(await db.inboxMessage.findFirst()).toMatchObject({ kind: 'own_message', direction: 'out' })
    await send(DAY)
    const to = server.sent().map((raw) => readField(raw, 'To') ?? '')
    expect([0, 1].map((i) => to.filter((one) => one.includes(email(i))).length)).toEqual([2, 2])
  })

  test('goes on where it ended, and after its vendor forgot that, without taking anything twice', async () => {
    const { write, poll, statuses, kept, email, server } = await begun()
    await poll()
    write({ to: email(0) }, minutes(20))
    expect(await poll(minutes(30))).toMatchObject({ mails: 1 })
    server.forget()
    write({ to: email(1) }, minutes(35))
    await poll(minutes(40))
    expect(await statuses()).toEqual(['skipped', 'skipped'])
    expect(await kept()).toBe(2)
  })

  test('an answer in a conversation, and a blind copy, are known too', async () => {
    const { write, poll, statuses, email } = await begun()
    write({ to: 'x@else.test', headers: `Bcc: <${email(0)}>\r\n` })
    write({
      to: email(1),
      headers: 'In-Reply-To: <unknown@else.test>\r\nReferences: <unknown@else.test>\r\n',
    })
    expect(await poll()).toMatchObject({ failed: 0, mails: 2 })
    expect(await statuses()).toEqual(['skipped', 'skipped'])
  })

  test('what left before the mailbox was connected is not looked at', async () => {
    const { write, poll, kept, email, server } = await begun(1)
    const before = new Date(MONDAY.getTime() - 60_000)
    write({ to: email(0) }, before)
    expect(await poll()).toMatchObject({ failed: 0, mails: 0 })
    expect(await kept()).toBe(0)
    expect(bodies(server.asked)).toEqual([])
  })
})
