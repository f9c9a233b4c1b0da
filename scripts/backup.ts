// npm run backup -- FILE: everything in the instance at one moment, while it keeps running.
import { randomUUID } from 'node:crypto'
import { createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { backUp } from '#lib/db/backup'
import { createDiskStorage } from '#lib/providers/storage/disk'
import { reachDatabase } from '#scripts/up/reach-database'
import { filesFolder, readSettings } from '#scripts/up/settings'
import { explain, Trouble } from '#scripts/up/trouble'

class NoRoom extends Error {}

let dataFolder = '.data'
try {
  const [file, ...more] = process.argv.slice(2)
  if (!file || more.length > 0) throw new Trouble('Usage: npm run backup -- FILE   (such as opener.tar.gz)')
  const settings = readSettings()
  dataFolder = settings.dataFolder
  await write(file)
  console.log(`Wrote ${file} (${(statSync(file).size / 1e6).toFixed(1)} MB).`)
  console.log(
    'It does not contain the ENCRYPTION_KEY. Store the key separately: without it, encrypted data cannot be read.',
  )

  async function write(target: string) {
    refuseExisting(target)
    const database = await reachDatabase(settings, { alone: false })
    const client = new pg.Client({ connectionString: database.url })
    // A file name of its own: another backup may be writing to the same target.
    const draft = `${target}.${randomUUID()}.new`
    try {
      await client.connect()
      // The file gets its final name only once it is complete.
      const out = createWriteStream(draft, { mode: 0o600 })
      const files = createDiskStorage(filesFolder(settings))
      await pipeline(backUp(client, { now: new Date(), files }), createGzip(), out).catch(
        (error: unknown) => {
          throw noRoomFor(target, error)
        },
      )
      refuseExisting(target)
      renameSync(draft, target)
    } finally {
      rmSync(draft, { force: true })
      await client.end().catch(() => undefined)
      await database.leave()
    }
  }
} catch (error) {
  console.error(error instanceof NoRoom ? error.message : explain(error, dataFolder))
  process.exit(1)
}
process.exit(0)

function refuseExisting(target: string) {
  if (existsSync(target)) throw new Trouble(`${target} exists already.`)
}

/** The full disk is that of the backup: the database reports a full disk of its own. */
function noRoomFor(target: string, error: unknown): unknown {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
  return isFull ? new NoRoom(`The disk is full: no room left for ${target}. No backup was written.`) : error
}
