import { expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { restore } from '#lib/db/restore'
import { holdBroughtBack, holdRestored } from '#scripts/hold-restored'
import { backupPlaces, from, options } from '#tests/support/files/backups'
import { aUser } from '#tests/support/scenes/factories'
import { answered } from '#tests/support/scenes/inbox'

const { anEmptyDatabase, archive, closeLast, connected } = backupPlaces()

/** Everything that would be sent on its own: a reply, a confirmation email, and an analytics email that became due since. */
async function due() {
  const { owner, params } = await answered()
  const { workspace_id, user_id } = owner
  const at = new Date('2026-03-02T09:00:00Z')
  const draft = { workspace_id, user_id, ...params, text: 'Gladly.' }
  const planned = await db.inboxDraft.create({ data: { ...draft, send_at: at } })
  const kept = await db.inboxDraft.create({ data: { ...draft, text: 'Later.', stopped: 'Refused.' } })
  const entry = { workspace_id, form_name: 'F', email: 'ada@acme.example', cells: {}, consent_text: 'Yes' }
  await db.formEntry.create({ data: { ...entry, given_at: at, expires_at: at, mail_due_at: at } })
  const analytics_due_at = new Date('2999-01-01T08:00:00Z')
  const other = await aUser()
  await db.notificationPreferences.createMany({
    data: [
      { workspace_id, user_id, analytics_email: 'weekly', analytics_due_at: at },
      { workspace_id, user_id: other.user_id, analytics_email: 'weekly', analytics_due_at },
    ],
  })
  return { workspace_id, user_id, planned, kept, at, analytics_due_at }
}

const ANSWERS = 'SELECT draft_id, text, send_at, stopped FROM inbox_drafts ORDER BY draft_id'
const MAILS = 'SELECT mail_due_at, mail_error FROM form_entries'
const ANALYTICS = `SELECT analytics_due_at FROM notification_preferences ORDER BY analytics_due_at`

test('what was to leave for others may have left since the backup: it waits for a person who says it anew', async () => {
  const { planned, kept, analytics_due_at } = await due()
  const begun = Date.now() - 60_000
  const { client } = await anEmptyDatabase()
  await restore(client, from(await archive()), { ...options, hold: holdRestored })
  expect((await client.query(ANSWERS)).rows).toEqual([
    {
      draft_id: planned.draft_id,
      text: 'Gladly.',
      send_at: null,
      stopped: expect.stringContaining('backup'),
    },
    { draft_id: kept.draft_id, text: 'Later.', send_at: null, stopped: 'Refused.' },
  ])
  expect((await client.query(MAILS)).rows).toEqual([
    { mail_due_at: null, mail_error: expect.stringContaining('backup') },
  ])
  const [passed, next] = (await client.query<{ analytics_due_at: Date }>(ANALYTICS)).rows
  expect(passed?.analytics_due_at.getTime()).toBeGreaterThan(begun)
  expect(next?.analytics_due_at).toEqual(analytics_due_at)
})

test('where it is asked for, it leaves as it was to', async () => {
  const before = await Promise.all([
    db.inboxDraft.count({ where: { send_at: { not: null } } }),
    db.formEntry.count({ where: { mail_due_at: { not: null } } }),
  ])
  const { client } = await anEmptyDatabase()
  await restore(client, from(await archive()), options)
  const { rows } = await client.query(
    `SELECT (SELECT count(send_at)::int FROM inbox_drafts) AS answers, (SELECT count(mail_due_at)::int FROM form_entries) AS mails`,
  )
  expect(rows).toEqual([{ answers: before[0], mails: before[1] }])
})

test('a database that was brought back by other means is held in the same way, once nobody else uses it', async () => {
  await due()
  const { client, url } = await anEmptyDatabase()
  await restore(client, from(await archive()), { ...options, hold: null })
  await client.query("UPDATE campaigns SET status = 'active', launched_at = now()")
  const { rows } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM campaigns')
  expect(rows[0]?.n).toBeGreaterThan(0)
  await connected(url)
  await expect(holdBroughtBack(client)).rejects.toThrow('stop the instance first')
  await closeLast()
  expect(await holdBroughtBack(client)).toBe(rows[0]?.n)
  const held = 'SELECT DISTINCT status, paused_reason FROM campaigns'
  expect((await client.query(held)).rows).toEqual([{ status: 'paused', paused_reason: 'restored' }])
  expect((await client.query(`${ANSWERS} LIMIT 1`)).rows).toEqual([
    expect.objectContaining({ send_at: null, stopped: expect.stringContaining('backup') }),
  ])
})

test('of an empty database nothing is held, and that is said', async () => {
  const { client } = await anEmptyDatabase()
  await expect(holdBroughtBack(client)).rejects.toThrow('The database is empty')
})
