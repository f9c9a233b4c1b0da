import { expect, test } from 'vitest'
import { pool } from '#lib/db/client'
import { sources } from '#tests/support/code/source-files'

test('no function of the database builds what is told', async () => {
  const { rows } = await pool().query(
    `SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
       AND prosrc ~* 'into\\s+"?(webhook_events|notifications)\\M'`,
  )
  expect(rows).toEqual([])
})

test('events are written by the one typed way to tell them, and by a webhook’s own test', () => {
  const writers = sources()
    .filter(({ file }) => file.startsWith('lib/'))
    .filter(({ code }) => /INTO webhook_events|webhookEvent\.create/.test(code))
    .map(({ file }) => file)
  expect(writers).toEqual(['lib/services/telling/tell.ts', 'lib/services/telling/webhook-deliveries.ts'])
})
