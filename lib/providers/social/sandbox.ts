import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import {
  type SocialAccountState,
  type SocialAction,
  type SocialOutcome,
  type SocialPerson,
  type SocialProvider,
  SocialReadError,
} from '#lib/providers/social/port'
import { actInSandbox } from '#lib/providers/social/sandbox-actions'
import { readSandboxMessages } from '#lib/providers/social/sandbox-messages'
import {
  inventStranger,
  isConnected,
  metricsAt,
  readHandle,
  type SandboxAccountRow,
  type SandboxPersonRow,
} from '#lib/providers/social/sandbox-people'

export type SandboxOptions = {
  pool: Pool
  clock: () => Date
  /** The base address of its sign-in page. */
  app_url: string
}

/**
 * A simulated social network in tables of this instance. Nothing is sent; people, their answers and their delays are derived
 * from their handles, unless a page of the sandbox decides otherwise.
 */
export function createSandboxSocial({ pool, clock, app_url }: SandboxOptions): SocialProvider {
  const reading = async (id: string) => {
    const account = await loadAccount(pool, id)
    if (account.status === 'disconnected')
      throw new SocialReadError('account_gone', 'The sandbox account is signed out.')
    return account
  }
  /** Runs an offer if the account may act and the network is not throttling it. */
  const offering = async <Result>(
    id: string,
    offer: (account: SandboxAccountRow) => Promise<SocialOutcome<Result>>,
  ): Promise<SocialOutcome<Result>> => {
    const account = await loadAccount(pool, id).catch(() => null)
    if (account?.status !== 'connected')
      return {
        outcome: 'never_left',
        response: 'The sandbox account has to sign in again.',
        sender_rejected: true,
      }
    const { rowCount } = await pool.query(
      'UPDATE sandbox_accounts SET refuse_next = refuse_next - 1 WHERE provider_account_id = $1 AND refuse_next > 0',
      [id],
    )
    if (rowCount === 0) return offer(account)
    return {
      outcome: 'refused_for_now',
      retry_after_seconds: 900,
      code: 'limit_exceeded',
      response: 'The sandbox network says these were too many for now.',
      blames: 'sender',
    }
  }

  return {
    name: 'sandbox',
    authLink: async ({ network, state, redirect_url, reconnect }) => {
      const url = new URL('/sandbox-network/sign-in', app_url)
      url.searchParams.set('network', network)
      url.searchParams.set('state', state)
      url.searchParams.set('back', redirect_url)
      if (reconnect) url.searchParams.set('account', reconnect)
      return { url: url.href }
    },
    account: async (id) => toState(await loadAccount(pool, id)),
    disconnect: async ({ provider_account_id }) => {
      await pool.query('UPDATE sandbox_accounts SET status = $2 WHERE provider_account_id = $1', [
        provider_account_id,
        'disconnected',
      ])
    },
    person: async ({ provider_account_id }, identifier) =>
      meet(pool, await reading(provider_account_id), identifier, clock()),
    act: (account, action, reference) =>
      offering(account.provider_account_id, async (row) => {
        const person = await findTarget(pool, row, action)
        return actInSandbox({ pool, account: row, person, now: clock(), reference }, action)
      }),
    publish: (account, { text, image }, reference) =>
      offering(account.provider_account_id, async (row) => {
        const provider_post_id = `sandbox-post-${randomUUID()}`
        const kept = image && {
          filename: image.filename,
          content_type: image.content_type,
          size_bytes: image.bytes.length,
        }
        await pool.query(
          `INSERT INTO sandbox_posts (provider_post_id, provider_account_id, workspace_id, text, image, reference, at)
           VALUES ($1, $2, $3, $4, $5, $6, $7)`,
          [
            provider_post_id,
            row.provider_account_id,
            row.workspace_id,
            text,
            kept && JSON.stringify(kept),
            reference,
            clock(),
          ],
        )
        const result = { provider_post_id, social_id: null, url: postUrl(app_url, provider_post_id) }
        return { outcome: 'accepted', response: 'Published on the sandbox network.', result }
      }),
    deletePost: (account, id) =>
      offering(account.provider_account_id, async () => {
        const { rowCount } = await pool.query(
          `UPDATE sandbox_posts SET deleted_at = $3
           WHERE provider_post_id = $1 AND provider_account_id = $2 AND deleted_at IS NULL`,
          [id, account.provider_account_id, clock()],
        )
        if (rowCount === 1) return { outcome: 'accepted', response: 'Deleted.', result: null }
        const response = 'The sandbox network has no such post.'
        return { outcome: 'refused_for_good', code: 'not_found', response, blames: 'message' }
      }),
    recentPosts: async ({ provider_account_id }) => {
      await reading(provider_account_id)
      const { rows } = await pool.query<{ provider_post_id: string; text: string; at: Date }>(
        `SELECT provider_post_id, text, at FROM sandbox_posts
         WHERE provider_account_id = $1 AND deleted_at IS NULL ORDER BY at DESC, provider_post_id LIMIT 20`,
        [provider_account_id],
      )
      return rows.map((row) => ({ ...row, social_id: null, url: postUrl(app_url, row.provider_post_id) }))
    },
    postMetrics: async ({ provider_account_id }, id) => {
      await reading(provider_account_id)
      const { rows } = await pool.query<{ at: Date }>(
        `SELECT at FROM sandbox_posts
         WHERE provider_post_id = $1 AND provider_account_id = $2 AND deleted_at IS NULL`,
        [id, provider_account_id],
      )
      if (!rows[0]) throw new SocialReadError('not_found', 'The sandbox network has no such post.')
      return metricsAt(id, clock().getTime() - rows[0].at.getTime())
    },
    messages: async ({ provider_account_id }, since, cursor) => {
      await reading(provider_account_id)
      return readSandboxMessages(pool, provider_account_id, { since, cursor, now: clock() })
    },
    connections: async ({ provider_account_id }) => {
      await reading(provider_account_id)
      const { rows } = await pool.query<{ provider_id: string; at: Date }>(
        `SELECT provider_id, connects_at AS at FROM sandbox_people
         WHERE provider_account_id = $1 AND connects_at <= $2 ORDER BY connects_at DESC LIMIT 200`,
        [provider_account_id, clock()],
      )
      return { items: rows, next_cursor: null }
    },
    // The sandbox pages call the services directly: no sandbox request comes in by HTTP.
    events: () => null,
  }
}

const postUrl = (appUrl: string, id: string) => new URL(`/sandbox/network#${id}`, appUrl).href

async function loadAccount(pool: Pool, id: string): Promise<SandboxAccountRow> {
  const { rows } = await pool.query<SandboxAccountRow>(
    'SELECT * FROM sandbox_accounts WHERE provider_account_id = $1',
    [id],
  )
  if (!rows[0]) throw new SocialReadError('account_gone', 'The sandbox network has no such account.')
  return rows[0]
}

const toState = (row: SandboxAccountRow): SocialAccountState => ({
  provider_account_id: row.provider_account_id,
  network: row.network,
  status: row.status,
  status_reason: row.status === 'connected' ? null : 'The sandbox account is signed out.',
  name: row.name,
  handle: row.handle,
  avatar_url: null,
  kind: row.kind,
})

async function findPerson(
  pool: Pool,
  account: SandboxAccountRow,
  providerId: string,
): Promise<SandboxPersonRow | null> {
  const { rows } = await pool.query<SandboxPersonRow>(
    'SELECT * FROM sandbox_people WHERE provider_account_id = $1 AND provider_id = $2',
    [account.provider_account_id, providerId],
  )
  return rows[0] ?? null
}

/** The person that an action names, or the other person of its chat. */
async function findTarget(pool: Pool, account: SandboxAccountRow, action: SocialAction) {
  if (action.provider_id || action.action_type !== 'message' || !action.chat_id)
    return findPerson(pool, account, action.provider_id)
  const { rows } = await pool.query<{ provider_id: string }>(
    'SELECT provider_id FROM sandbox_chat_messages WHERE provider_account_id = $1 AND chat_id = $2 LIMIT 1',
    [account.provider_account_id, action.chat_id],
  )
  return rows[0] ? findPerson(pool, account, rows[0].provider_id) : null
}

/** Looks up a person as the account sees them; a person never seen before is derived from the handle. */
async function meet(
  pool: Pool,
  account: SandboxAccountRow,
  identifier: string,
  now: Date,
): Promise<SocialPerson> {
  const known = await findPerson(pool, account, identifier)
  if (known) return toPerson(known, now)
  const stranger = inventStranger(readHandle(identifier))
  if (!stranger) throw new SocialReadError('not_found', 'Nobody on the sandbox network has this handle.')
  await pool.query(
    `INSERT INTO sandbox_people (provider_account_id, provider_id, workspace_id, handle, name, headline)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [
      account.provider_account_id,
      stranger.provider_id,
      account.workspace_id,
      stranger.handle,
      stranger.name,
      stranger.headline,
    ],
  )
  const met = await findPerson(pool, account, stranger.provider_id)
  if (!met) throw new SocialReadError('account_gone', 'The sandbox account is gone.')
  return toPerson(met, now)
}

function toPerson(row: SandboxPersonRow, now: Date): SocialPerson {
  const { provider_id, handle, name, headline, invitation_id } = row
  const relation = isConnected(row, now) ? 'connected' : invitation_id ? 'invited' : 'none'
  const pending = relation === 'invited' ? invitation_id : null
  return { provider_id, handle, name, headline, avatar_url: null, relation, invitation_id: pending }
}
