import { createServer, type Socket } from 'node:net'
import { tokenIn } from '#tests/support/servers/smtp'

export type ImapMail = {
  uid: number
  raw: string
  at: Date
  /** Answered instead of its INTERNALDATE, valid or not. */
  said_at?: string
  flags?: string
  /** Gmail's category (inbox tab). */
  category?: string
  /** The server counts it, but does not list it yet. */
  hidden?: boolean
  /** The folder's MODSEQ at its last change. */
  modseq?: number
}

export type ImapFolder = {
  uid_validity: number
  mails: ImapMail[]
  special_use?: string
  /** The folder's highest MODSEQ (RFC 7162), where the server keeps one. */
  modseq?: number
}

export type ImapFault = {
  /**
   * Asked before each command is answered; "drop" cuts the connection, "cut" sends half of the answer first, "hang" never answers,
   * "deaf" carries out the command and then cuts, and any other text is sent as a refusal.
   */
  play?: (command: string) => 'drop' | 'cut' | 'hang' | 'deaf' | `NO ${string}` | undefined
  /** Further capabilities, such as "X-GM-EXT-1". */
  extensions?: string
  /** Whether it sends no untagged updates on its own. */
  is_mute?: boolean
  /** The hierarchy delimiter of folder names. */
  delimiter?: string
  /** Whether it takes an access token (XOAUTH2); a refusal is a challenge first. */
  takesToken?: (token: string) => boolean
}

/** The part of an IMAP4rev1 server (RFC 3501) that a reading client needs: real sockets, literals, faults on demand. */
export async function createImapServer(folders: Record<string, ImapFolder>, fault: ImapFault = {}) {
  const commands: string[] = []
  const sockets = new Set<Socket>()
  const counts = { connections: 0, peak: 0 }
  const listening = new Map<Socket, ImapFolder>()
  const server = createServer((socket) => {
    sockets.add(socket)
    counts.connections += 1
    counts.peak = Math.max(counts.peak, sockets.size)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      listening.delete(socket)
    })
    serve(socket, folders, fault, { commands, listening })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    commands,
    counts,
    /** The number of connections in IDLE. */
    listeners: () => listening.size,
    /** Tells connections in IDLE how many mails their folder has now. */
    push() {
      for (const [socket, folder] of listening) socket.write(`* ${shown(folder).length} EXISTS\r\n`)
    },
    dropListeners() {
      for (const socket of listening.keys()) socket.destroy()
    },
    /** Closes every connection; resolves once the clients have closed them too. */
    async hangUp() {
      const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      for (const socket of sockets) socket.end('* BYE\r\n')
      await Promise.all(closed)
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const CAPABILITIES = 'IMAP4rev1 SPECIAL-USE UIDPLUS'

type Heard = { commands: string[]; listening: Map<Socket, ImapFolder> }

function serve(
  socket: Socket,
  folders: Record<string, ImapFolder>,
  fault: ImapFault,
  { commands, listening }: Heard,
) {
  let idle = ''
  let selected: ImapFolder | undefined
  let buffer = ''
  /** The buffer up to this index is the content of a literal. */
  let held = 0
  let challenged = ''
  const send = (text: string) => socket.write(`${text}\r\n`, 'latin1')
  const all = [
    CAPABILITIES,
    fault.is_mute ? '' : 'IDLE',
    fault.takesToken ? 'SASL-IR AUTH=XOAUTH2' : '',
    fault.extensions ?? '',
  ]
  const capabilities = all.filter(Boolean).join(' ')
  send(`* OK [CAPABILITY ${capabilities}] ready`)

  const answer = (line: string) => {
    if (challenged) {
      send(`${challenged} NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)`)
      challenged = ''
      return
    }
    if (idle && line === 'DONE') {
      send(`${idle} OK done`)
      idle = ''
      listening.delete(socket)
      return
    }
    const [tag = '', verb = '', ...rest] = line.split(' ')
    const isUid = verb.toUpperCase() === 'UID'
    const command = (isUid ? `UID ${rest[0]}` : verb).toUpperCase()
    const args = (isUid ? rest.slice(1) : rest).join(' ')
    commands.push(`${command} ${['LOGIN', 'AUTHENTICATE'].includes(command) ? '…' : args}`.trim())
    const play = fault.play?.(`${command} ${args}`)
    if (play === 'drop') return socket.destroy()
    if (play === 'hang') return
    if (play?.startsWith('NO ')) return send(`${tag} ${play}`)
    if (command === 'AUTHENTICATE' && fault.takesToken?.(tokenIn(args)) === false) {
      challenged = tag
      return send(`+ ${Buffer.from('{"status":"400"}').toString('base64')}`)
    }
    if (command === 'IDLE' && selected && !play) {
      idle = tag
      send('+ idling')
      return listening.set(socket, selected)
    }
    const lines = answerTo(command, args)
    if (play === 'cut') {
      const text = lines.join('\r\n')
      socket.write(text.slice(0, Math.floor(text.length / 2)), 'latin1', () => socket.destroy())
      return
    }
    if (play === 'deaf') return socket.destroy()
    const failed = lines.at(-1)?.startsWith('NO ')
    for (const each of failed ? [] : lines) send(each)
    send(failed ? `${tag} ${lines.at(-1)}` : `${tag} OK done`)
    if (command === 'LOGOUT') socket.end()
  }

  const answerTo = (command: string, args: string): string[] => {
    switch (command) {
      case 'CAPABILITY':
        return [`* CAPABILITY ${capabilities}`]
      case 'LOGIN':
        return args.includes('wrong') ? ['NO [AUTHENTICATIONFAILED] Invalid credentials'] : []
      case 'LIST':
      case 'LSUB':
        return /""$/.test(args) && !args.includes('*')
          ? ['* LIST (\\Noselect) "/" ""']
          : Object.entries(folders).map(
              ([name, { special_use }]) =>
                `* ${command} (${special_use ?? '\\HasNoChildren'}) "${fault.delimiter ?? '/'}" "${name}"`,
            )
      case 'NAMESPACE':
        return [`* NAMESPACE (("" "${fault.delimiter ?? '/'}")) NIL NIL`]
      case 'CREATE':
        folders[unquoted(args)] = { uid_validity: 1, mails: [] }
        return []
      case 'APPEND':
        return append(args)
      case 'SELECT':
      case 'EXAMINE': {
        selected = folders[unquoted(/^(".*?"|\S+)/.exec(args)?.[1] ?? '')]
        if (!selected) return ['NO no such folder']
        const next = Math.max(0, ...selected.mails.map(({ uid }) => uid)) + 1
        return [
          '* FLAGS (\\Seen)',
          `* ${shown(selected).length} EXISTS`,
          `* OK [UIDVALIDITY ${selected.uid_validity}] valid`,
          `* OK [UIDNEXT ${next}] next`,
          ...(selected.modseq ? [`* OK [HIGHESTMODSEQ ${selected.modseq}] changes`] : []),
        ]
      }
      case 'CLOSE':
        selected = undefined
        return []
      case 'UID SEARCH':
        return [`* SEARCH ${search(shown(selected), args).join(' ')}`.trimEnd()]
      case 'UID FETCH':
        return fetched(shown(selected), args)
      case 'LOGOUT':
        return ['* BYE']
      default:
        return []
    }
  }

  const append = (args: string): string[] => {
    const [, name = '', flags = '', date = '', raw = ''] =
      /^(".*?"|\S+)(?: \((.*?)\))?(?: "(.*?)")? ([\s\S]*)$/.exec(args) ?? []
    const folder = folders[unquoted(name)]
    if (!folder) return ['NO [TRYCREATE] no such folder']
    const uid = Math.max(0, ...folder.mails.map((mail) => mail.uid)) + 1
    folder.mails.push({ uid, raw, at: new Date(date.replace(/^ /, '')), flags })
    return []
  }

  socket.on('data', (chunk) => {
    buffer += chunk.toString('latin1')
    for (let end = buffer.indexOf('\r\n', held); end >= 0; end = buffer.indexOf('\r\n', held)) {
      const literal = /\{(\d+)\+?\}$/.exec(buffer.slice(held, end))
      if (literal) {
        // The next bytes are the literal, whatever they contain.
        buffer = buffer.slice(0, held + literal.index) + buffer.slice(end + 2)
        held += literal.index + Number(literal[1])
        send('+ go on')
        if (buffer.length < held) return
      } else {
        const line = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        held = 0
        answer(line)
      }
    }
  })
}

const shown = (folder: ImapFolder | undefined) => folder?.mails.filter(({ hidden }) => !hidden) ?? []

const unquoted = (name: string) => name.replaceAll('"', '')

function search(mails: ImapMail[], args: string): number[] {
  const id = /HEADER "?message-id"? "?([^" ]+)"?/i.exec(args)?.[1]
  if (id) return mails.filter(({ raw }) => raw.includes(`Message-ID: ${id}`)).map(({ uid }) => uid)
  const [, uid, category] = /UID (\d+) X-GM-RAW "?category:(\w+)"?/i.exec(args) ?? []
  if (uid)
    return mails
      .filter((mail) => mail.uid === Number(uid) && mail.category === category)
      .map((mail) => mail.uid)
  const from = /UID (\d+):\*/i.exec(args)?.[1]
  const since = /SINCE (\S+)/i.exec(args)?.[1]?.replaceAll('"', '')
  const last = mails.at(-1)
  if (from) {
    const found = mails.filter(({ uid }) => uid >= Number(from))
    // RFC 3501: "*" is the last mail, so n:* is never empty.
    return (found.length > 0 ? found : last ? [last] : []).map(({ uid }) => uid)
  }
  const modseq = Number(/MODSEQ (\d+)/i.exec(args)?.[1] ?? 0)
  const day = since ? Date.parse(`${since} UTC`) : 0
  return mails
    .filter((mail) => mail.at.getTime() >= day && (mail.modseq ?? 0) >= modseq)
    .map(({ uid }) => uid)
}

function fetched(mails: ImapMail[], args: string): string[] {
  const wanted = new Set(args.split(' ')[0]?.split(',').map(Number))
  return mails.flatMap((mail, index) => (wanted.has(mail.uid) ? [fetchedOne(mail, index, args)] : []))
}

function fetchedOne(mail: ImapMail, index: number, args: string): string {
  const day = mail.at.toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1-$2-$3 $4 +0000')
  const known = `UID ${mail.uid} INTERNALDATE "${mail.said_at ?? day.padStart(26)}" RFC822.SIZE ${mail.raw.length}`
  return `* ${index + 1} FETCH (${known} ${section(mail.raw, args)})`
}

function section(raw: string, args: string): string {
  const fields = /BODY(?:\.PEEK)?\[(HEADER\.FIELDS \((.*?)\))\]/i.exec(args)
  if (fields) {
    const head = fieldsOf(raw, (fields[2] ?? '').split(' '))
    return `BODY[${fields[1]}] {${head.length}}\r\n${head}`
  }
  if (/BODY(?:\.PEEK)?\[HEADER\]/i.test(args)) {
    const head = `${raw.split('\r\n\r\n', 1)[0]}\r\n\r\n`
    return `BODY[HEADER] {${head.length}}\r\n${head}`
  }
  const range = /BODY(?:\.PEEK)?\[\]<(\d+)\.(\d+)>/i.exec(args)
  const source = range ? raw.slice(Number(range[1]), Number(range[1]) + Number(range[2])) : raw
  return `BODY[]${range ? `<${range[1]}>` : ''} {${source.length}}\r\n${source}`
}

/** The named header fields, each with its continuation lines. */
function fieldsOf(raw: string, names: string[]): string {
  const wanted = new Set(names.map((name) => name.replaceAll('"', '').toLowerCase()))
  const head = raw.split('\r\n\r\n', 1)[0] ?? ''
  const lines = head
    .split(/\r\n(?![ \t])/)
    .filter((line) => wanted.has(line.split(':')[0]?.toLowerCase() ?? ''))
  return `${lines.map((line) => `${line}\r\n`).join('')}\r\n`
}
