import { afterEach } from 'vitest'
import { createUnipile } from '#lib/providers/social/unipile/driver'
import { scriptedServer } from '#tests/support/servers/scripted-server'

export const SECRET = 'a secret of webhooks'
export const NOW = new Date('2026-11-21T09:00:00.000Z')
export const ACCOUNT = { provider_account_id: 'acc_1', network: 'linkedin' } as const

export type Replies = Parameters<typeof scriptedServer>[0]

/** A scripted silence must run into a short timeout; an answer may take as long as a busy machine needs. */
const patience = (replies: Replies) => (replies.some(({ never }) => never) ? 2_000 : 60_000)
let close: (() => Promise<unknown>) | undefined
afterEach(() => close?.())

export async function unipile(replies: Replies) {
  const server = await scriptedServer(replies)
  close = server.close
  const timeout_ms = patience(replies)
  const is_link_state = (state: string) => state === 'ours'
  const options = { dsn: server.url, api_key: 'key', webhook_secret: SECRET, timeout_ms }
  const driver = createUnipile({ classic: { ...options, is_link_state }, clock: () => NOW })
  return { driver, heard: server.heard, close: server.close }
}

export const problem = (type: string) => ({
  type: `errors/${type}`,
  title: 'No',
  detail: 'because',
  status: 0,
})
