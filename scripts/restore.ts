// npm run restore -- FILE [--replace] [--running] [--other-key]: restores the database from a backup.
// npm run restore -- --hold: holds what would be sent from a database that was restored by other means.
import { createReadStream, existsSync, mkdirSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream'
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
  --replace    deletes everything in the database first
  --running    keeps campaigns running and posts and replies scheduled, as in the backup
  --other-key  continues even if the ENCRYPTION_KEY is different
  --hold       restores nothing: pauses campaigns and holds what is scheduled in a database that was restored by
               pg_dump, a snapshot or a copy of its folder`

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
        `${paused} running campaigns were paused and what was scheduled waits: anything sent after the restored state is unknown here.`,
      )
    } else {
      const done = await withClient(database.url, (client) => into(client, database.url))
      console.log(
        `Restored ${done.rows} rows of ${done.tables} tables and ${done.files} files, as they were at ${done.created_at}.`,
      )
      if (done.paused > 0)
        console.log(
          `${done.paused} running campaigns were paused: anything sent after the backup is unknown here.`,
        )
    }
  } finally {
    await database.leave()
  }

  async function into(client: pg.Client, url: string) {
    // An unreadable backup must end the restore, not the process, which would leave the database it started running.
    const archive = pipeline(createReadStream(file), createGunzip(), () => undefined)
    const files = createDiskStorage(filesFolder(settings))
    const hold = options.running ? null : holdRestored
    const done = await restore(client, archive, { migrations: readMigrations(), files, ...options, hold })
    // Applies the migrations that this version has added since.
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
  if (!hold && !existsSync(file)) throw new Trouble(`File not found: ${file}.`)
  if (!hold && !statSync(file).isFile()) throw new Trouble(`${file} is a folder: name the file of a backup.`)
  return { file, replace, running, hold, other_key }
}
