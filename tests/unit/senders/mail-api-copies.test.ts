import { afterAll, expect, test } from 'vitest'
import { createGmailProvider } from '#lib/providers/mail-api/gmail/send'
import { createGraphProvider } from '#lib/providers/mail-api/graph/send'
import { mailboxAt, message } from '#tests/support/scenes/smtp'
import { aGmailServer } from '#tests/support/servers/gmail'
import { aGraphServer } from '#tests/support/servers/graph'
import { readField } from '#tests/support/servers/mail-api'

const closers: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(closers.map((close) => close())))

const SERVERS = { gmail: aGmailServer, graph: aGraphServer }
const DRIVERS = { gmail: createGmailProvider, graph: createGraphProvider }
const person = (address: string) => ({ name: null, address })

test.each(['gmail', 'graph'] as const)(
  '%s: copies are named in the message, whose Bcc line the API reads and takes out itself, and files travel in it',
  async (api) => {
    const server = await SERVERS[api]()
    closers.push(server.close)
    const outbound = { policy: { allow_private_hosts: true } }
    const driver = DRIVERS[api]({ origin: server.origin, outbound, timeout_ms: 30_000 })
    const mailbox = mailboxAt(1, { access_token: 'secret-token', password: null, api })
    const content = new Uint8Array([0, 13, 10, 255])
    const outcome = await driver.send(
      mailbox,
      message({
        cc: [person('bob@lead.test')],
        bcc: [person('crm@own.test')],
        attachments: [{ filename: 'a.bin', content_type: 'application/octet-stream', content }],
      }),
    )
    expect(outcome.outcome).toBe('accepted')
    const [raw = ''] = server.sent()
    expect([readField(raw, 'Cc'), readField(raw, 'Bcc')]).toEqual(['bob@lead.test', 'crm@own.test'])
    expect(raw).toContain(Buffer.from(content).toString('base64'))
  },
)
