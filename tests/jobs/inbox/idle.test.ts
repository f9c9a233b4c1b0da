import { afterEach, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import { createImapListener } from '#lib/providers/inbox/idle'
import { createIdleKeeper, type IdleKeeper, type KeeperOptions } from '#lib/services/inbox/idling/keeper'
import { createHostLine } from '#lib/services/inbox/mailboxes/host-line'
import { deleteMailbox } from '#lib/services/senders/mailboxes'
import { replyTo } from '#tests/support/scenes/arrivals'
import { aMailbox } from '#tests/support/scenes/factories'
import { minutes } from '#tests/support/scenes/launched'
import type { ImapFault } from '#tests/support/servers/imap'
import { begunOverImap, closeImapServers, connectImap, pollImap } from '#tests/support/servers/imap-mailbox'

const keepers: IdleKeeper[] = []
afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.stop()))
  await closeImapServers()
  await db.mailConnection.deleteMany()
})

/** The keeper as a separate process would create it. The test moves its clock, and triggers its beats. */
function aKeeper(over: Partial<KeeperOptions> = {}) {
  const woken: string[] = []
  const time = { now: minutes(30).getTime() }
  const keeper = createIdleKeeper({
    pool: pool(),
    listen: createImapListener({ policy: { allow_private_hosts: true } }),
    wake: async (id) => {
      woken.push(id)
      await pollImap([id])
    },
    clock: () => new Date(time.now),
    most_per_host: 10,
    most: 50,
    pause_ms: 0,
    beat_ms: 1_000_000,
    ...over,
  })
  keepers.push(keeper)
  const later = async (ms: number) => {
    time.now += ms
    await keeper.beat()
  }
  return { ...keeper, woken, later }
}

/** A mailbox that was read and is listened to. */
async function listened(leads = 1, fault?: ImapFault, over?: Partial<KeeperOptions>) {
  const made = await begunOverImap(leads, {}, fault)
  await pollImap([made.id])
  const keeper = aKeeper(over)
  await keeper.look()
  return { ...made, keeper }
}

const places = () => db.mailConnection.count()
const isListening = (imap: { listeners: () => number }, count = 1) => expect.poll(imap.listeners).toBe(count)
const count = (commands: string[], verb: string) => commands.filter((one) => one.startsWith(verb)).length

describe('what comes in is read as its server tells of it', () => {
  test('a reply ends its lead without a poll, by the reading that polls', async () => {
    const { imap, put, mail, statuses, keeper, id } = await listened(2)
    await isListening(imap)
    expect(keeper.woken).toEqual([])
    put(replyTo(mail(0)))
    imap.push()
    await expect.poll(statuses).toEqual(['replied', 'active'])
    put(replyTo(mail(1)))
    imap.push()
    await expect.poll(statuses).toEqual(['replied', 'replied'])
    expect(new Set(keeper.woken)).toEqual(new Set([id]))
    expect(imap.listeners()).toBe(1)
  })

  test('so is what came in after the last reading, before anybody listened', async () => {
    const { imap, id, put, mail, statuses } = await begunOverImap(1)
    await pollImap([id])
    put(replyTo(mail(0)))
    await aKeeper().look()
    await isListening(imap)
    await expect.poll(statuses).toEqual(['replied'])
  })

  test('a flood is read at once, and then after a pause', async () => {
    const { imap, put, mail, keeper } = await listened(1, {}, { pause_ms: 1_000_000 })
    await isListening(imap)
    for (let i = 0; i < 5; i++) {
      put(replyTo(mail(0)))
      imap.push()
    }
    await expect.poll(() => keeper.woken.length).toBe(1)
  })

  test('IDLE is begun anew before its server ends it, and misses nothing', async () => {
    const listen = createImapListener({ policy: { allow_private_hosts: true }, max_idle_ms: 50 })
    const { imap, put, mail, statuses } = await listened(1, {}, { listen })
    await expect.poll(() => count(imap.commands, 'IDLE')).toBeGreaterThan(3)
    put(replyTo(mail(0)))
    imap.push()
    await expect.poll(statuses).toEqual(['replied'])
    expect(count(imap.commands, 'EXAMINE')).toBeLessThan(5)
  })
})

describe('a line that ends', () => {
  test('is begun anew after a rest, and what came in meanwhile is read', async () => {
    const { imap, put, mail, statuses, keeper } = await listened()
    await isListening(imap)
    put(replyTo(mail(0)))
    imap.dropListeners()
    await expect.poll(places).toBe(0)
    await keeper.later(1_000)
    expect(await places()).toBe(0)
    await keeper.later(15_000)
    await isListening(imap)
    await expect.poll(statuses).toEqual(['replied'])
  })

  test('rests longer each time that nothing came of it, up to an hour', async () => {
    let tries = 0
    const fault: ImapFault = {
      play: (command) => {
        if (!command.startsWith('IDLE')) return undefined
        tries += 1
        return 'drop'
      },
    }
    const { keeper } = await listened(1, fault)
    await expect.poll(places).toBe(0)
    for (let i = 0; i < 60; i++) {
      await keeper.later(60_000)
      await expect.poll(places).toBe(0)
    }
    // Within an hour: after 1, 1, 1, 2, 3, 6, 11, 22 minutes, or sooner.
    expect(tries).toBeGreaterThan(5)
    expect(tries).toBeLessThan(12)
  })

  test('where the password is refused a reading says so; it rests an hour, and not once it was changed', async () => {
    const { imap, id } = await begunOverImap(1)
    await pollImap([id])
    const row = () => db.mailbox.findUniqueOrThrow({ where: { mailbox_id: id } })
    const change = (password: string) =>
      db.mailbox.update({
        where: { mailbox_id: id },
        data: { imap_password: seal(password), inbox_error: null },
      })
    await change('wrong')
    const keeper = aKeeper()
    await keeper.look()
    await expect.poll(async () => (await row()).inbox_error).toMatch(/Invalid credentials/)
    expect(keeper.woken).toEqual([id])
    const asked = count(imap.commands, 'LOGIN')
    // As after a successful read.
    await db.mailbox.update({ where: { mailbox_id: id }, data: { inbox_error: null } })
    await keeper.later(30 * 60_000)
    await keeper.look()
    expect(count(imap.commands, 'LOGIN')).toBe(asked)
    await change('secret')
    await keeper.look()
    await isListening(imap)
  })

  test('a server without IDLE is left alone for a day, and read by the clock', async () => {
    const { imap, id, put, mail, statuses, keeper } = await listened(1, { is_mute: true })
    await expect.poll(places).toBe(0)
    const asked = count(imap.commands, 'LOGIN')
    await keeper.later(23 * 60 * 60_000)
    expect(count(imap.commands, 'LOGIN')).toBe(asked)
    put(replyTo(mail(0)))
    await pollImap([id])
    expect(await statuses()).toEqual(['replied'])
    await keeper.later(2 * 60 * 60_000)
    await expect.poll(() => count(imap.commands, 'LOGIN')).toBe(asked + 2)
  })
})

describe('a mailbox that changes while it is listened to', () => {
  test('removed: its line ends', async () => {
    const { imap, mailbox, owner, keeper } = await listened()
    await isListening(imap)
    await db.campaign.deleteMany()
    await deleteMailbox(owner.workspace_id, mailbox.mailbox_id)
    await keeper.later(15_000)
    await isListening(imap, 0)
    expect(await places()).toBe(0)
  })

  test('without incoming mail any more: its line ends', async () => {
    const { imap, id, keeper } = await listened()
    await isListening(imap)
    await pool().query('UPDATE mailboxes SET imap = NULL, imap_password = NULL WHERE mailbox_id = $1', [id])
    await keeper.later(15_000)
    await isListening(imap, 0)
    await expect.poll(places).toBe(0)
  })

  test('with another password: it signs in anew', async () => {
    const { imap, id, keeper } = await listened()
    await isListening(imap)
    const before = count(imap.commands, 'LOGIN')
    await db.mailbox.update({ where: { mailbox_id: id }, data: { imap_password: seal('changed') } })
    await keeper.later(15_000)
    await isListening(imap)
    await expect.poll(() => count(imap.commands, 'LOGIN')).toBe(before + 1)
    expect(await places()).toBe(1)
  })

  test('over the API of its vendor from now on: its line ends', async () => {
    const { imap, id, owner, keeper } = await listened()
    await isListening(imap)
    await db.mailboxGrant.create({
      data: {
        mailbox_id: id,
        workspace_id: owner.workspace_id,
        vendor: 'google',
        route: 'api',
        client_id: 'c',
        subject: 's',
      },
    })
    await keeper.later(15_000)
    await isListening(imap, 0)
    await keeper.look()
    expect(await places()).toBe(0)
  })
})

describe('one budget of connections for each host', () => {
  async function three() {
    const made = await begunOverImap(1)
    const more = await Promise.all([aMailbox(made.owner), aMailbox(made.owner)])
    for (const { mailbox_id } of more) await connectImap(mailbox_id, made.imap.port)
    await pollImap([made.id, ...more.map(({ mailbox_id }) => mailbox_id)])
    return made
  }

  test('half of it listens, whatever process asks, and the rest is left for reading', async () => {
    const { imap, id } = await three()
    const [one, other] = [aKeeper({ most_per_host: 4 }), aKeeper({ most_per_host: 4 })]
    await Promise.all([one.look(), other.look()])
    await isListening(imap, 2)
    expect(await places()).toBe(2)
    const take = createHostLine({ pool, most: 4, look_again_ms: 10 })
    const [first] = await Promise.all([
      take('127.0.0.1', () => pollImap([id])),
      take('127.0.0.1', async () => undefined),
    ])
    expect(first).toMatchObject({ failed: 0 })
    await one.look()
    await isListening(imap, 2)
  })

  test('a host that takes one connection is read by the clock', async () => {
    const { imap } = await three()
    await aKeeper({ most_per_host: 1 }).look()
    expect([imap.listeners(), await places()]).toEqual([0, 0])
  })

  test('nobody listens while others stand in line', async () => {
    const { imap } = await three()
    await db.mailConnection.createMany({
      data: Array.from({ length: 4 }, () => ({
        host: '127.0.0.1',
        held_until: new Date(Date.now() + 60_000),
      })),
    })
    await aKeeper({ most_per_host: 4 }).look()
    expect(imap.listeners()).toBe(0)
    expect(await places()).toBe(4)
  })

  test('one process listens to so many and no more, those first in which something happened last', async () => {
    const { imap, id } = await three()
    await aKeeper({ most: 1 }).look()
    await isListening(imap, 1)
    expect(await db.mailConnection.findMany({ select: { mailbox_id: true } })).toEqual([{ mailbox_id: id }])
  })
})

describe('a process that ends', () => {
  test('hangs up and gives its places up, and another listens', async () => {
    const { imap, keeper } = await listened()
    await isListening(imap)
    await keeper.stop()
    expect(await places()).toBe(0)
    await isListening(imap, 0)
    await keeper.look()
    expect(await places()).toBe(0)
    await aKeeper().look()
    await isListening(imap)
  })

  test('one that died keeps its places for a while, and no longer', async () => {
    const { imap, id } = await begunOverImap(1)
    await pollImap([id])
    const data = { host: '127.0.0.1', mailbox_id: id }
    const { mail_connection_id } = await db.mailConnection.create({
      data: { ...data, held_until: new Date(Date.now() + 600_000) },
    })
    const keeper = aKeeper()
    await keeper.look()
    expect(imap.listeners()).toBe(0)
    await db.mailConnection.update({ where: { mail_connection_id }, data: { held_until: new Date(0) } })
    await keeper.look()
    await isListening(imap)
  })

  test('one that could not say for too long that it is there hangs up: others may listen by then', async () => {
    const { imap, keeper } = await listened()
    await isListening(imap)
    await keeper.later(15_000)
    await isListening(imap)
    await keeper.later(60_000)
    await isListening(imap, 0)
  })
})
