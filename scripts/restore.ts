// npm run restore -- FILE [--replace] [--running] [--other-key]: brings the database to the state of a backup. With --hold in place
// of FILE it holds what would be sent from one that was brought back by other means.
import { createReadStream, existsSync, mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { applyMigrations, readMigrations } from '#lib/db/migrate'
import { RestoreRefused, restore } from '#lib/db/restore'
import { createDiskStorage } from '#lib/providers/storage/disk'
import { holdBroughtBack, holdRestored } from '#scripts/hold-restored'
import { reachDatabase } from '#scripts/up/reach-database'
import { filesFolder, readSettings } from '#scripts/up/settings'
import { explain, Trouble } from '#scripts/up/trouble'

const USAGE = `Usage: npm run restore -- FILE [--replace] [--running] [--other-key]
       npm run restore -- --hold
  --replace    throws away what the database holds
  --running    leaves campaigns running, and posts and replies scheduled, that were when the backup was made
  --other-key  goes on though the ENCRYPTION_KEY is another one
  --hold       restores nothing: pauses campaigns and holds what is scheduled in a database that pg_dump, a snapshot or a copy
               of the folder brought back, as a restore does`

let dataFolder = '.data'
try {
  const { file, hold: isHold, ...options } = readArguments()
  const settings = readSettings()
  dataFolder = settings.dataFolder
  mkdirSync(dataFolder, { recursive: true })
  const database = await reachDatabase(settings, { alone: true })
  try {
    if (isHold) {
      const paused = await withClient(database.url, holdBroughtBack)
      console.log(
        `${paused} running campaigns are paused, and what was scheduled waits: the database does not know what was sent after the state that it was brought back to.`,
      )
    } else {
      const done = await withClient(database.url, (client) => into(client, database.url))
      console.log(
        `Restored ${done.rows} rows of ${done.tables} tables and ${done.files} files, as they were at ${done.created_at}.`,
      )
      if (done.paused > 0)
        console.log(
          `${done.paused} running campaigns are paused: what was sent after the backup it does not know.`,
        )
    }
  } finally {
    await database.leave()
  }

  async function into(client: pg.Client, url: string) {
    const archive = createReadStream(file).pipe(createGunzip())
    const files = createDiskStorage(filesFolder(settings))
    const hold = options.running ? null : holdRestored
    const done = await restore(client, archive, { migrations: readMigrations(), files, ...options, hold })
    // What this version has added since.
    await applyMigrations(url)
    await client.query('ANALYZE')
    return done
  }

  async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return await work(client)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
} catch (error) {
  console.error(error instanceof RestoreRefused ? error.message : explain(error, dataFolder))
  process.exit(1)
}
process.exit(0)

function readArguments() {
  const flag = { type: 'boolean', default: false } as const
  const options = { replace: flag, running: flag, 'other-key': flag, hold: flag }
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse()
  } catch {
    throw new Trouble(USAGE)
  }
  function parse() {
    return parseArgs({ options, allowPositionals: true })
  }
  const { positionals, values } = parsed
  const [file = ''] = positionals
  const { replace, running, hold, 'other-key': other_key } = values
  const isFit = hold
    ? positionals.length === 0 && !(replace || running || other_key)
    : positionals.length === 1
  if (!isFit) throw new Trouble(USAGE)
  if (!hold && !existsSync(file)) throw new Trouble(`There is no file ${file}.`)
  return { file, replace, running, hold, other_key }
}
