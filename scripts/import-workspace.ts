// npm run import-workspace -- FILE EMAIL: creates a workspace from an export of this or another instance; that account owns it.
import { createReadStream, statSync } from 'node:fs'
import { AppError } from '#lib/errors'
import { reachDatabase } from '#scripts/up/reach-database'
import { readSettings } from '#scripts/up/settings'
import { explain, Trouble } from '#scripts/up/trouble'

let dataFolder = '.data'
try {
  const [file = '', email = '', ...more] = process.argv.slice(2)
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || more.length > 0)
    throw new Trouble('Usage: npm run import-workspace -- FILE EMAIL')
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Trouble(`File not found: ${file}.`)
  const settings = readSettings()
  dataFolder = settings.dataFolder
  const database = await reachDatabase(settings, { alone: false })
  try {
    console.log(await importFile(file, email.toLowerCase()))
  } finally {
    const { closeDatabase } = await import('#lib/db/client')
    await closeDatabase()
    await database.leave()
  }
} catch (error) {
  console.error(error instanceof AppError ? error.message : explain(error, dataFolder))
  process.exit(1)
}
process.exit()

/** Imported here, because these modules read the environment. */
async function importFile(file: string, email: string): Promise<string> {
  const { userOfEmail } = await import('#lib/services/workspaces/users')
  const { importWorkspace } = await import('#lib/services/workspaces/archive/workspace-import')
  const user = await userOfEmail(email)
  if (!user) throw new Trouble(`No account on this instance has the address ${email}.`)
  const { name, rows, left_out } = await importWorkspace(user.user_id, createReadStream(file), new Date())
  const left = Object.entries(left_out).map(([table, count]) => `${count} of ${table}`)
  return [
    `Imported ${name}: ${rows} rows. Enter the passwords of its mailboxes, then resume its campaigns.`,
    ...(left.length > 0 ? [`Not imported: ${left.join(', ')}.`] : []),
  ].join('\n')
}
