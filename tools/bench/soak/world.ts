// The world around an instance, in its own process: a receiving mail server, the mailboxes, and people who open and reply.
import { SMTPServer } from 'smtp-server'
import { createImapServer, type ImapFolder } from '#tests/support/servers/imap'
import { answerCounts } from '../harness.ts'

export type World = { smtp: number; imap: number[] }
export type Counts = {
  taken: number
  /** Mails that were received more than once. */
  twice: number
  /** Mails without an identifying mark. */
  unmarked: number
  opened: number
  open_failed: number
  answered: number
}

/** How people react, by row of the list: an open after some seconds, a reply after some seconds. */
const OPENS = { share: (row: number) => row % 10 < 3, from: 5, to: 90 }
const ANSWERS = { share: (row: number) => row % 100 === 6, from: 20, to: 180 }
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.3.0'
const TEXT = `Thank you for your message. We put this off last year; it may be worth a second look now.

Could you send me two or three dates in the coming weeks?

Kind regards`

const counts: Counts = { taken: 0, twice: 0, unmarked: 0, opened: 0, open_failed: 0, answered: 0 }
const rowsOfList = Number(process.env.BENCH_LIST_ROWS)
/** By list, how often each of its rows was written to: one byte each, where a set of ids would take hundreds of MB. */
const received = new Map<number, Uint8Array>()

const addresses = (process.env.BENCH_ADDRESSES ?? '').split(' ')
const inboxes = await Promise.all(
  addresses.map(async (address) => {
    const folder: ImapFolder = { uid_validity: 1, mails: [] }
    return { address, folder, server: await createImapServer({ INBOX: folder }) }
  }),
)
const inboxByAddress = new Map(inboxes.map((inbox) => [inbox.address, inbox]))

function later({ from, to }: { from: number; to: number }, act: () => unknown): void {
  setTimeout(act, (from + Math.random() * (to - from)) * 1_000)
}

/** A header field, with its folded lines joined. */
function field(mail: string, name: string): string {
  const value = new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(mail)?.[1] ?? ''
  return value.replaceAll(/\r\n[ \t]+/g, ' ')
}

const address = (mail: string, name: string) =>
  /<([^>]+)>/.exec(field(mail, name))?.[1] ?? field(mail, name).trim()

function receive(mail: string): void {
  counts.taken += 1
  const [, list, row] = (/soak-(\d+)-(\d+)\./.exec(mail) ?? []).map(Number)
  if (list === undefined || row === undefined) {
    counts.unmarked += 1
    return
  }
  const rows = received.get(list) ?? new Uint8Array(rowsOfList)
  received.set(list, rows)
  if (rows[row]) counts.twice += 1
  rows[row] = (rows[row] ?? 0) + 1
  if (OPENS.share(row)) {
    // Quoted-printable breaks lines and writes "=" as "=3D".
    const image = /http\S+\/t\/o\/[^"\s]+\.gif/.exec(mail.replaceAll('=\r\n', ''))?.[0].replaceAll('=3D', '=')
    later(OPENS, () => open(image))
  }
  if (ANSWERS.share(row)) {
    const head = { id: field(mail, 'Message-ID'), subject: field(mail, 'Subject') }
    const [from, to] = [address(mail, 'From'), address(mail, 'To')]
    later(ANSWERS, () => answer({ ...head, from: to, to: from, place: `${list}-${row}` }))
  }
}

async function open(image: string | undefined): Promise<void> {
  try {
    const response = await fetch(image ?? '', { headers: { 'user-agent': BROWSER } })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${response.status}`)
    counts.opened += 1
  } catch {
    counts.open_failed += 1
  }
}

type Answer = { id: string; subject: string; from: string; to: string; place: string }

function answer({ id, subject, from, to, place }: Answer): void {
  const inbox = inboxByAddress.get(to)
  if (!inbox) return
  const at = new Date()
  const raw = `From: <${from}>\nTo: <${to}>\nSubject: Re: ${subject}\nDate: ${at.toUTCString()}\nIn-Reply-To: ${id}\nReferences: ${id}\nMessage-ID: <answer-${place}@lead.example>\n\n${TEXT}\n`
  const { mails } = inbox.folder
  mails.push({ uid: mails.length + 1, raw: raw.replaceAll('\n', '\r\n'), at })
  inbox.server.push()
  counts.answered += 1
}

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  disableReverseLookup: true,
  onAuth: (_auth, _session, callback) => callback(null, { user: 'soak' }),
  onData(stream, _session, callback) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      receive(Buffer.concat(chunks).toString('latin1'))
      callback(null, '2.0.0 Queued')
    })
  },
})
answerCounts(() => counts)
smtp.listen(0, '127.0.0.1', () => {
  const bound = smtp.server.address()
  const where: World = {
    smtp: typeof bound === 'object' && bound ? bound.port : 0,
    imap: inboxes.map(({ server }) => server.port),
  }
  console.log(JSON.stringify(where))
})
