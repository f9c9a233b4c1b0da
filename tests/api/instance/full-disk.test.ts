import { expect, test } from 'vitest'
import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { CreateTemplate } from '#lib/contracts/messages/templates'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

test('what finds no room on the disk of the database is refused for now, and says so', async () => {
  const as = await aUser()
  await db.$executeRawUnsafe(
    `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`,
  )
  for (const table of ['suppressions', 'templates'])
    await db.$executeRawUnsafe(
      `CREATE TRIGGER no_room BEFORE INSERT ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION no_room()`,
    )
  const template = { name: 'A template', content: { subject: 'Hello', body: 'A word.' } }
  const answers = async () => [
    await call(AddSuppressions, { as, body: { values: ['ada@example.com'] } }),
    await call(CreateTemplate, { as, body: template }),
  ]
  for (const { status, text } of await answers()) {
    expect(status).toBe(503)
    expect(text).toContain('The disk of this instance is full. Try again once there is room.')
  }
  await db.$executeRawUnsafe('DROP FUNCTION no_room CASCADE')
  expect((await answers()).map(({ status }) => status < 300)).toEqual([true, true])
})
