import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'

// Runs before each test file: DATABASE_URL names a fresh clone before anything imports the client.
const { adminUrl, template } = inject('postgres')
const name = `opener_test_${randomBytes(8).toString('hex')}`

await onServer(`create database ${name} template ${template}`)
const url = new URL(adminUrl)
url.pathname = `/${name}`
// A deployment that is asked in the place of the sources has a database of its own.
process.env.DATABASE_URL = process.env.OPENER_DATABASE ?? url.href

// Registered first, hence run last: the file's own hooks still find their database.
afterAll(() => onServer(`drop database ${name} with (force)`))

async function onServer(sql: string) {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
