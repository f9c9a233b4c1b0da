// npm run rotate-key [-- --new]: encrypts everything again under the current ENCRYPTION_KEY; with --new under a newly generated
// one.
import path from 'node:path'
import pg from 'pg'
import { rotateKey } from '#lib/db/rotate-key'
import { takeLock } from '#scripts/up/lock'
import { reachDatabase } from '#scripts/up/reach-database'
import { makeNewKey } from '#scripts/up/secrets'
import { readSettings } from '#scripts/up/settings'
import { explain, Trouble } from '#scripts/up/trouble'

let dataFolder = '.data'
try {
  const [flag, ...more] = process.argv.slice(2)
  if ((flag && flag !== '--new') || more.length > 0) throw new Trouble('Usage: npm run rotate-key [-- --new]')
  const settings = readSettings()
  dataFolder = settings.dataFolder
  if (flag) renew()
  const database = await reachDatabase(settings, { alone: flag !== undefined })
  const client = new pg.Client({ connectionString: database.url })
  try {
    await client.connect()
    const { resealed, unopened } = await rotateKey(client)
    console.log(`${resealed} secrets were re-encrypted.`)
    console.log('Keep the old key in ENCRYPTION_KEYS_OLD: links in sent emails are signed with it.')
    if (unopened.length > 0) {
      console.error(
        `${unopened.length} cannot be decrypted with ENCRYPTION_KEY or ENCRYPTION_KEYS_OLD. They were left as they are: if you have another key, add it to ENCRYPTION_KEYS_OLD and run this again. Without it, these must be set again:`,
      )
      for (const { table, column, id } of unopened) console.error(`  ${table}.${column} of ${id}`)
      process.exitCode = 2
    }
  } finally {
    await client.end().catch(() => undefined)
    await database.leave()
  }

  /** A running instance would keep using the old key and could not decrypt what the new one encrypted. */
  function renew() {
    if (process.env.ENCRYPTION_KEY)
      throw new Trouble(
        'You set ENCRYPTION_KEY yourself: set a new one, put the old one in ENCRYPTION_KEYS_OLD, then run this without --new.',
      )
    // Of two concurrent runs, the later would drop the key of the other, which may already have encrypted something.
    const lock = takeLock(path.join(dataFolder, 'up.lock'))
    if ('heldBy' in lock) throw new Trouble(`Opener runs on ${dataFolder}, or is starting: stop it first.`)
    try {
      const { hasOld } = makeNewKey(dataFolder)
      const where = `${dataFolder}/secrets.json`
      console.log(`A new key is in ${where}${hasOld ? ', next to the old one' : '; there was none'}.`)
    } finally {
      lock.release()
    }
  }
} catch (error) {
  console.error(explain(error, dataFolder))
  process.exit(1)
}
process.exit()
