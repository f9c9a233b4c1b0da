import { afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import type { FetchedMail, InboxProvider, InboxReading } from '#lib/providers/inbox/port'
import { replyTo } from '#tests/support/scenes/arrivals'
import { eml } from '#tests/support/scenes/inbound-mail'
import { minutes } from '#tests/support/scenes/launched'
import type { ImapFault, ImapFolder } from '#tests/support/servers/imap'
import { begunOverImap, closeImapServers, imapProvider, pollImap } from '#tests/support/servers/imap-mailbox'

afterEach(closeImapServers)

/** A driver whose server hangs up while we process what it sent. */
function hungUpOn(hangUp: () => Promise<void>, when: 'keep' | 'pick'): InboxProvider {
  const imap = imapProvider()
  return {
    ...imap,
    read: (connection, reading) => imap.read(connection, interrupted(reading, hangUp, when)),
  }
}

function interrupted(
  reading: InboxReading,
  hangUp: () => Promise<void>,
  when: 'keep' | 'pick',
): InboxReading {
  const { sent } = reading
  if (when === 'pick' && sent)
    return {
      ...reading,
      sent: {
        ...sent,
        async pick(heads) {
          await hangUp()
          return sent.pick(heads)
        },
      },
    }
  let isFirst = true
  return {
    ...reading,
    async keep(mails: FetchedMail[]) {
      if (isFirst) await hangUp()
      isFirst = false
      await reading.keep(mails)
    },
  }
}

describe('a connection that its server closes while nothing is asked', () => {
  test('between two questions: what was not asked for yet is no deleted mail', async () => {
    const { put, mail, id, imap, statuses } = await begunOverImap(1)
    for (let n = 0; n < 50; n++) put(eml(`From: s@stranger.test\nMessage-ID: <${n}@x>`))
    // Mails are fetched in batches of fifty: the last one is fetched alone.
    put(replyTo(mail(0)))
    const provider = hungUpOn(imap.hangUp, 'keep')
    expect(await pollImap([id], minutes(30), provider)).toMatchObject({ failed: 1, mails: 50 })
    expect(await pollImap([id])).toMatchObject({ failed: 0, mails: 1 })
    expect(await statuses()).toEqual(['replied'])
  })

  test('of what left: it is looked at again', async () => {
    const sent: ImapFolder = { uid_validity: 1, mails: [], special_use: '\\Sent' }
    const { put, mail, mailbox, id, imap, statuses } = await begunOverImap(1, { Sent: sent })
    const head = `From: <${mailbox.address}>\nTo: <${mail(0).to.address}>\nSubject: By hand\nMessage-ID: <hand@x>`
    put(eml(head, 'As we said.'), sent)
    const provider = hungUpOn(imap.hangUp, 'pick')
    expect(await pollImap([id], minutes(30), provider)).toMatchObject({ failed: 1, mails: 0 })
    expect(await pollImap([id])).toMatchObject({ failed: 0, mails: 1 })
    expect(await statuses()).toEqual(['skipped'])
  })
})

describe('a mail that its server refuses to give', () => {
  /** The server refuses the mail with UID 6: its body, or its header too. */
  async function refusing(what: 'words' | 'all', folders: Record<string, ImapFolder> = {}) {
    let isRefused = true
    const asked = what === 'all' ? /^UID FETCH 6 / : /^UID FETCH 6 .*BODY\.PEEK\[\]/
    const fault: ImapFault = {
      play(command) {
        if (!isRefused) return
        if (/^UID FETCH \d+,.*BODY\.PEEK\[\]/.test(command)) return 'NO [SERVERBUG] not all'
        return asked.test(command) ? 'NO [SERVERBUG] Internal error' : undefined
      },
    }
    const made = await begunOverImap(3, folders, fault)
    const mend = () => {
      isRefused = false
    }
    const row = () => db.mailbox.findUniqueOrThrow({ where: { mailbox_id: made.id } })
    return { ...made, mend, row }
  }

  test('is waited for, and said; what stands before it is kept', async () => {
    const { put, mail, id, statuses, mend, row } = await refusing('words')
    for (const i of [0, 1, 2]) put(replyTo(mail(i)))
    for (const at of [30, 60]) expect(await pollImap([id], minutes(at))).toMatchObject({ failed: 1 })
    expect((await row()).inbox_error).toContain('Internal error')
    expect(await statuses()).toEqual(['replied', 'active', 'active'])
    mend()
    expect(await pollImap([id], minutes(70))).toMatchObject({ failed: 0, mails: 2 })
    expect(await statuses()).toEqual(['replied', 'replied', 'replied'])
  })

  test('for an hour is passed over: its head tells whose it is', async () => {
    const { put, mail, id, statuses, owner, row } = await refusing('words')
    for (const i of [0, 1, 2]) put(replyTo(mail(i), `Words of ${i}.`))
    expect(await pollImap([id], minutes(30))).toMatchObject({ failed: 1 })
    expect(await pollImap([id], minutes(90))).toMatchObject({ failed: 0, mails: 2 })
    expect((await row()).inbox_error).toBeNull()
    expect(await statuses()).toEqual(['replied', 'replied', 'replied'])
    const thread = await db.thread.findFirstOrThrow({
      where: { workspace_id: owner.workspace_id, labels: { has: 'unreadable' } },
      include: { messages: true },
    })
    expect(thread).toMatchObject({ counterpart_address: mail(1).to.address })
    expect(thread.messages.at(-1)).toMatchObject({ unreadable: 'refused', text: '' })
    expect(await pollImap([id], minutes(100))).toMatchObject({ failed: 0, mails: 0 })
  })

  test('to its very head is shown without a sender, whether it is the first that is ever read or not', async () => {
    const { put, mail, id, statuses, owner, inbox } = await refusing('all')
    inbox.mails.push({ uid: 1, raw: eml('Message-ID: <old@x>'), at: new Date('2020-01-01') })
    inbox.mails.push({ uid: 6, raw: eml('Message-ID: <bad@x>'), at: minutes(5) })
    put(replyTo(mail(0)))
    for (const at of [30, 60]) expect(await pollImap([id], minutes(at))).toMatchObject({ failed: 1 })
    // Mail from before the connection is ignored, even if nothing was read yet.
    expect(await pollImap([id], minutes(90))).toMatchObject({ failed: 0, mails: 2 })
    expect(await statuses()).toEqual(['replied', 'active', 'active'])
    const kept = await db.inboundMessage.findFirstOrThrow({
      where: { workspace_id: owner.workspace_id, uid: 6 },
    })
    expect(kept).toMatchObject({ unreadable: 'refused', kind: 'unrelated' })
  })

  test('of what left counts by its head', async () => {
    const sent: ImapFolder = { uid_validity: 1, mails: [], special_use: '\\Sent' }
    const { mail, mailbox, id, statuses } = await refusing('words', { Sent: sent })
    const head = `From: <${mailbox.address}>\nTo: <${mail(0).to.address}>\nSubject: By hand\nMessage-ID: <hand@x>`
    sent.mails.push({ uid: 6, raw: eml(head, 'As we said.').replace(/\n/g, '\r\n'), at: minutes(20) })
    await pollImap([id], minutes(30))
    expect(await statuses()).toEqual(['active', 'active', 'active'])
    await pollImap([id], minutes(90))
    expect(await statuses()).toEqual(['skipped', 'active', 'active'])
  })
})
