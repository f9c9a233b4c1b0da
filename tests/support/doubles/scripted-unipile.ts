import { afterEach } from 'vitest'
import type { SocialAction } from '#lib/providers/social/port'
import { createUnipile } from '#lib/providers/social/unipile/driver'
import { scriptedServer } from '#tests/support/servers/scripted-server'

export const SECRET = 'wes_a secret of an endpoint'
export const NOW = new Date('2026-11-21T09:00:00.000Z')
export const ACCOUNT = { provider_account_id: 'acc_1', network: 'linkedin' } as const
export const TELEGRAM = { provider_account_id: 'acc_2', network: 'telegram' } as const
export const MESSAGE = {
  action_type: 'message',
  provider_id: 'ACo1',
  text: 'Hello',
  chat_id: '2-chat=',
} as const satisfies SocialAction

export const LINK = {
  network: 'linkedin',
  state: 'told to the provider alone',
  shown_state: 'shown to the browser',
  redirect_url: 'https://app.example/back?ticket=1',
  notify_url: 'https://app.example/api/social/unipile',
  expires_at: NOW,
  reconnect: null,
} as const

export type Replies = Parameters<typeof scriptedServer>[0]

/** A scripted silence must run into a short timeout; an answer may take as long as a busy machine needs. */
const patience = (replies: Replies) => (replies.some(({ never }) => never) ? 2_000 : 60_000)

/** Servers that answer as scripted, and drivers for version 2 of the API that call them; closed after each test. */
export function scriptedUnipile() {
  const closing: (() => Promise<unknown>)[] = []
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())))

  async function speaking(replies: Replies) {
    const server = await scriptedServer(replies)
    closing.push(server.close)
    return server
  }

  async function unipile(replies: Replies) {
    const server = await speaking(replies)
    const timeout_ms = patience(replies)
    const current = { url: `${server.url}/v2`, api_key: 'key', webhook_secret: SECRET, timeout_ms }
    return { driver: createUnipile({ current, clock: () => NOW }), heard: server.heard }
  }
  return { speaking, unipile }
}

export const problem = (type: string) => ({
  object: 'Error',
  type,
  status: 0,
  title: 'No',
  detail: 'because',
})
export const profile = (specifics: object = {}) => ({
  object: 'UserProfile',
  id: 'ACo1',
  public_identifier: 'grace',
  display_name: 'Grace Hopper',
  specifics,
})
