import { afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { replyTo } from '#tests/support/scenes/arrivals'
import { eml } from '#tests/support/scenes/inbound-mail'
import { minutes } from '#tests/support/scenes/launched'
import type { ImapFault, ImapFolder } from '#tests/support/servers/imap'
import { begunOverImap, closeImapServers, crlf, pollImap } from '#tests/support/servers/imap-mailbox'

afterEach(closeImapServers)

const CONDSTORE = { extensions: 'ENABLE CONDSTORE' }
const stranger = (id: string) => eml(`From: s@stranger.test\nMessage-ID: <${id}@x>`)

/** The commands after signing in and opening folders. */
const asked = (commands: string[]) => commands.filter((command) => /^(UID|STORE)/.test(command))

describe('a search that finds nothing out is no empty one', () => {
  test.each(['drop', 'cut', 'hang', 'deaf', 'NO [UNAVAILABLE] busy'] as const)(
    '%s: the mail is read at the next turn',
    async (how) => {
      let searches = 0
      const fault: ImapFault = {
        play: (command) => (command.startsWith('UID SEARCH') && ++searches === 1 ? how : undefined),
      }
      const { put, mail, id, statuses } = await begunOverImap(1, {}, fault)
      put(replyTo(mail(0)))
      expect(await pollImap([id])).toMatchObject({ failed: 1, mails: 0 })
      expect(await pollImap([id])).toMatchObject({ failed: 0, mails: 1 })
      expect(await statuses()).toEqual(['replied'])
    },
  )
})

test('a mail that its server counts before it shows it is read once it is there', async () => {
  const { put, mail, id, inbox, statuses } = await begunOverImap(2)
  put(replyTo(mail(0)))
  await pollImap([id])
  put(replyTo(mail(1)))
  const late = inbox.mails.at(-1)
  if (late) late.hidden = true
  expect(await pollImap([id])).toMatchObject({ failed: 0, mails: 0 })
  if (late) late.hidden = false
  expect(await pollImap([id])).toMatchObject({ mails: 1 })
  expect(await statuses()).toEqual(['replied', 'replied'])
})

describe('where the server counts changes', () => {
  async function counted(leads: number) {
    const made = await begunOverImap(leads, {}, CONDSTORE)
    made.inbox.modseq = 10
    const put = (raw: string) => {
      made.inbox.modseq = (made.inbox.modseq ?? 0) + 1
      made.put(raw)
      const mail = made.inbox.mails.at(-1)
      if (mail) mail.modseq = made.inbox.modseq
    }
    return { ...made, put }
  }

  test('a folder in which nothing changed is opened, and asked nothing', async () => {
    const { put, id, imap, inbox } = await counted(1)
    put(stranger('a'))
    put(stranger('b'))
    await pollImap([id])
    // The newest mail is moved away: its UID stays the last one that was read.
    inbox.mails.pop()
    const before = imap.commands.length
    expect(await pollImap([id])).toMatchObject({ mails: 0, failed: 0 })
    expect(asked(imap.commands.slice(before))).toEqual([])
    const folder = await db.mailboxFolder.findFirstOrThrow({ where: { mailbox_id: id } })
    expect(folder).toMatchObject({ last_uid: 6n, highest_modseq: 12n })
  })

  test('a mail that shows up among those that were read is read, and none is read twice', async () => {
    const { put, mail, id, imap, inbox, statuses } = await counted(2)
    put(replyTo(mail(0)))
    inbox.mails.unshift({
      uid: 1,
      raw: crlf(eml('Message-ID: <old@x>')),
      at: new Date('2020-01-01'),
      modseq: 11,
    })
    await pollImap([id])
    inbox.modseq = 13
    inbox.mails.splice(1, 0, { uid: 2, raw: crlf(replyTo(mail(1))), at: minutes(20), modseq: 13 })
    // Flag changes (read) of these and of a mail from before the mailbox was connected.
    for (const each of inbox.mails) each.modseq = 13
    const before = imap.commands.length
    expect(await pollImap([id])).toMatchObject({ mails: 1 })
    expect(await statuses()).toEqual(['replied', 'replied'])
    expect(asked(imap.commands.slice(before)).filter((command) => command.includes('FETCH'))).toHaveLength(1)
  })

  test('a batch that was cut short is gone on with from the same count', async () => {
    const { put, id, inbox } = await counted(1)
    await pollImap([id])
    for (let i = 0; i < 120; i++) put(stranger(`n${i}`))
    expect(await pollImap([id])).toMatchObject({ mails: 100, more: true })
    const folder = () => db.mailboxFolder.findFirstOrThrow({ where: { mailbox_id: id } })
    expect((await folder()).highest_modseq).toBe(10n)
    expect(await pollImap([id])).toMatchObject({ mails: 20, more: false })
    expect((await folder()).highest_modseq).toBe(BigInt(inbox.modseq ?? 0))
  })

  test('a count that was begun anew, or a search for changes that is refused, hides nothing', async () => {
    const { put, mail, id, inbox, statuses } = await counted(2)
    put(stranger('a'))
    await pollImap([id])
    inbox.modseq = 1
    put(replyTo(mail(0)))
    expect(await pollImap([id])).toMatchObject({ mails: 1, failed: 0 })

    const refusing = await begunOverImap(
      1,
      {},
      {
        ...CONDSTORE,
        play: (command) => (command.includes('MODSEQ') ? 'NO not here' : undefined),
      },
    )
    refusing.inbox.modseq = 5
    await pollImap([refusing.id])
    refusing.inbox.modseq = 6
    refusing.put(replyTo(refusing.mail(0)))
    expect(await pollImap([refusing.id])).toMatchObject({ mails: 1, failed: 0 })
    expect(await statuses()).toContain('replied')
  })
})

test('a folder that is numbered anew is read from about where it ended, not from its beginning', async () => {
  const { put, id, imap, inbox } = await begunOverImap(1)
  await db.mailbox.update({ where: { mailbox_id: id }, data: { created_at: new Date('2020-01-01') } })
  for (let i = 0; i < 5; i++)
    inbox.mails.push({ uid: i + 1, raw: crlf(stranger(`old${i}`)), at: new Date('2021-05-05') })
  put(stranger('new'))
  expect(await pollImap([id])).toMatchObject({ mails: 6 })
  inbox.uid_validity = 8
  const before = imap.commands.length
  expect(await pollImap([id])).toMatchObject({ mails: 1 })
  expect(imap.commands.slice(before).filter((command) => command.includes('FETCH'))).toHaveLength(1)
})

describe('folders under other names', () => {
  const junk = (): ImapFolder => ({ uid_validity: 1, mails: [] })

  test.each([
    ['marked by its server', 'Whatever', '/', '\\Junk'],
    ['known by its name', 'Bulk Mail', '/', undefined],
    ['in another language', 'Courrier ind&AOk-sirable', '/', undefined],
    ['of a provider', 'Spamverdacht', '/', undefined],
    // "Нежелательная почта" in modified UTF-7 (RFC 3501 section 5.1.3).
    ['in another script', '&BB0ENQQ2BDUEOwQwBEIENQQ7BEwEPQQwBE8- &BD8EPgRHBEIEMA-', '/', undefined],
    ['below a prefix', 'INBOX.Junk', '.', undefined],
  ])('%s', async (_, name, delimiter, special_use) => {
    const folder = { ...junk(), ...(special_use && { special_use }) }
    const { put, mail, id, statuses } = await begunOverImap(1, { [name]: folder }, { delimiter })
    put(replyTo(mail(0)), folder)
    expect(await pollImap([id])).toMatchObject({ failed: 0, mails: 1 })
    expect(await statuses()).toEqual(['replied'])
    put(stranger('later'), folder)
    expect(await pollImap([id])).toMatchObject({ failed: 0, mails: 1 })
  })

  test('two of them are both read, one that cannot be opened is not', async () => {
    const [first, second] = [junk(), junk()]
    const folders = {
      'Junk E-Mail': first,
      Spam: second,
      'Old/Spam': { ...junk(), special_use: '\\Noselect' },
    }
    const { put, mail, id, statuses } = await begunOverImap(2, folders)
    put(replyTo(mail(0)), first)
    put(replyTo(mail(1)), second)
    expect(await pollImap([id])).toMatchObject({ failed: 0, mails: 2 })
    expect(await statuses()).toEqual(['replied', 'replied'])
  })

  test('a folder that goes away between being listed and opened is a failure that is told, and INBOX was read', async () => {
    const folder = junk()
    const fault: ImapFault = { play: (command) => (/^EXAMINE.*Junk/.test(command) ? 'NO gone' : undefined) }
    const { put, mail, id, statuses } = await begunOverImap(1, { Junk: folder }, fault)
    put(replyTo(mail(0)))
    expect(await pollImap([id])).toMatchObject({ failed: 1, mails: 1 })
    expect(await statuses()).toEqual(['replied'])
  })
})
