// npm run -s token [-- EMAIL]: prints a new JWT of that user and nothing else; the user is created if necessary. Without EMAIL it
// is the demo account, which exists only if no other machine can reach the instance.
import path from 'node:path'
import { openKeys } from '#lib/services/instance/open-keys'
import { isElsewhere, readRunFile } from '#scripts/up/run-file'
import { ROOT, readSettings } from '#scripts/up/settings'
import { explain, Trouble } from '#scripts/up/trouble'

const email = process.argv[2] ?? 'demo@opener.local'
let dataFolder = '.data'
try {
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Trouble(`"${email}" is not an email address.`)
  dataFolder = readSettings().dataFolder
  enterInstance()
  console.log(await freshToken())
  process.exit(0)
} catch (error) {
  console.error(explain(error, dataFolder))
  process.exit(1)
}

/** The instance of DATA_DIR. Without one, or if DATABASE_URL names another database, the deployment described by the environment. */
function enterInstance() {
  const run = readRunFile(dataFolder)
  const { DATABASE_URL, ENCRYPTION_KEY, APP_URL } = process.env
  const folder = path.relative(ROOT, dataFolder) || dataFolder
  if (run && !isElsewhere(run, DATABASE_URL)) Object.assign(process.env, run.env)
  else if (DATABASE_URL && ENCRYPTION_KEY && APP_URL) return
  else if (run)
    throw new Trouble(
      `DATABASE_URL is not the database of the instance in ${folder}: set its ENCRYPTION_KEY and APP_URL too, or unset DATABASE_URL.`,
    )
  else
    throw new Trouble(
      `Opener is not running on ${folder}: start it with \`npm run up\`, or name its folder with DATA_DIR.`,
    )
}

async function freshToken(): Promise<string> {
  await openKeys()
  const { isShut } = await import('#lib/services/workspaces/sign-in/demo-account')
  if (isShut({ email }))
    throw new Trouble(
      'There is no demo account because others can reach this instance (HOST, APP_URL). Use your own: npm run -s token -- EMAIL',
    )
  const { ensureUser } = await import('#lib/services/workspaces/users')
  const { issueToken } = await import('#lib/services/workspaces/tokens')
  const { user_id } = await ensureUser(email)
  return issueToken(user_id, new Date())
}
