import { afterAll, expect, test } from 'vitest'
import type { MailProvider } from '#lib/providers/mail/port'
import { createGmailProvider } from '#lib/providers/mail-api/gmail/send'
import { createGraphProvider } from '#lib/providers/mail-api/graph/send'
import { mailboxAt, message } from '#tests/support/scenes/smtp'
import { aGmailServer } from '#tests/support/servers/gmail'
import { aGraphServer } from '#tests/support/servers/graph'
import type { MailApiServerOptions } from '#tests/support/servers/mail-api'

const closers: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(closers.map((close) => close())))

const SERVERS = { gmail: aGmailServer, graph: aGraphServer }
const DRIVERS = { gmail: createGmailProvider, graph: createGraphProvider }
type Api = keyof typeof SERVERS
const LATE = { outcome: 'never_left', reason: 'late' }

async function aScene(api: Api, options: MailApiServerOptions = {}) {
  const server = await SERVERS[api](options)
  closers.push(server.close)
  const outbound = { policy: { allow_private_hosts: true } }
  const driver: MailProvider = DRIVERS[api]({ origin: server.origin, outbound })
  const mailbox = mailboxAt(1, { access_token: 'secret-token', password: null, api })
  return { server, driver, mailbox }
}

test.each([
  ['gmail', 'its turn', [false]],
  ['gmail', 'its draft was made', [true, false]],
  ['graph', 'its turn', [false]],
  ['graph', 'its draft was made', [true, false]],
] as const)('%s: one that may leave no more once %s came leaves nothing behind', async (api, _, answers) => {
  const { server, driver, mailbox } = await aScene(api)
  const left: boolean[] = [...answers]
  expect(await driver.send(mailbox, message(), () => left.shift() ?? false)).toMatchObject(LATE)
  expect([server.sent().length, server.drafts.size]).toEqual([0, 0])
})

test.each(['gmail', 'graph'] as const)('%s: the draft of a try before is dropped with it', async (api) => {
  const { server, driver, mailbox } = await aScene(api, {
    play: (step) => (step === 'send' ? { status: 401 } : undefined),
  })
  const { draft = null } = (await driver.send(mailbox, message())) as { draft?: string }
  expect(server.drafts.size).toBe(1)
  expect(await driver.send(mailbox, message({ draft }), () => false)).toMatchObject(LATE)
  expect(server.drafts.size).toBe(0)
})
