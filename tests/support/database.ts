import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { WRONG_ACTION_COUNTS } from '#tests/support/statements/action-counts'
import { WRONG_CONTACT_COUNTS } from '#tests/support/statements/contact-counts'
import { WRONG_LEAD_COUNTS, WRONG_LEAD_ENDINGS } from '#tests/support/statements/lead-counts'
import { isHeld, ofTests } from '#tests/support/statements/of-tests'
import { watch } from '#tests/support/statements/watch'

// Runs before each test file: DATABASE_URL names a fresh clone before anything imports the client.
const { adminUrl, template } = inject('postgres')
// Kept on globalThis: test files that share a process share the database name of the first of them.
const kept = globalThis as { openerTestDatabase?: string }
kept.openerTestDatabase ??= `opener_test_${randomBytes(8).toString('hex')}`
const name = kept.openerTestDatabase

// Nobody writes to the template, so its files can be copied as they are instead of page by page through the WAL.
await onServer(`create database ${name} template ${template} strategy file_copy`)
const url = new URL(adminUrl)
url.pathname = `/${name}`
// A deployment that is tested instead of the sources has a database of its own.
process.env.DATABASE_URL = process.env.OPENER_DATABASE ?? url.href

// Registered first, hence run last: the test file's own hooks still find the database.
afterAll(async () => {
  try {
    await Promise.all([checkCounts(), checkStatements()])
  } finally {
    const { closeDatabase } = await import('#lib/db/client')
    await closeDatabase()
    await onServer(`drop database ${name} with (force)`)
  }
})

const KEPT = {
  action_counts: WRONG_ACTION_COUNTS,
  lead_counts: WRONG_LEAD_COUNTS,
  lead_endings: WRONG_LEAD_ENDINGS,
  contact_counts: WRONG_CONTACT_COUNTS,
}

/** Whatever a test file did to the ledger, the counts that are stored for analytics must agree with it. */
async function checkCounts() {
  for (const [kept, wrong] of Object.entries(KEPT)) {
    const { rows } = await onServer(wrong, url.href)
    if (rows.length > 0)
      throw new Error(`${kept} do not agree with the ledger: ${JSON.stringify(rows.slice(0, 3))}`)
  }
}

watch()

/** Every statement that the product sent during a test file must restrict itself to a workspace. */
async function checkStatements() {
  if (!isHeld()) return
  // Imported only here: the parser is large.
  const { COLUMNS, findUntied, ownedColumns } = await import('#tests/support/statements/every-statement')
  const { rows } = await onServer(COLUMNS, url.href)
  const found = await findUntied(ownedColumns(rows))
  if (found.length > 0)
    throw new Error(`Statements that do not say whose rows they mean:\n${found.join('\n')}`)
}

async function onServer(sql: string, connectionString = adminUrl) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await ofTests.run(true, () => client.query(sql))
  } finally {
    await client.end()
  }
}
