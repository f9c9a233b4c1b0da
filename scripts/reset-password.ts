// npm run reset-password -- EMAIL [--new] [--without-second-factor]: prints a link with which the account's password can be reset.
// --new creates the account if it does not exist; --without-second-factor removes its authenticator app and recovery codes, for an
// owner who has lost both.
import { reachDatabase } from '#scripts/up/reach-database'
import { localUrl } from '#scripts/up/services'
import { readSettings } from '#scripts/up/settings'
import { explain, Trouble } from '#scripts/up/trouble'

const FLAGS = ['--new', '--without-second-factor']

let dataFolder = '.data'
try {
  const flags = process.argv.slice(2).filter((arg) => arg.startsWith('-'))
  const [email = '', ...more] = process.argv.slice(2).filter((arg) => !arg.startsWith('-'))
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || more.length > 0 || flags.some((flag) => !FLAGS.includes(flag)))
    throw new Trouble('Usage: npm run reset-password -- EMAIL [--new] [--without-second-factor]')
  const settings = readSettings()
  dataFolder = settings.dataFolder
  const database = await reachDatabase(settings, { alone: false })
  process.env.HOST ||= settings.host
  process.env.APP_URL ||= localUrl(settings)
  try {
    console.log(await linkFor(email.toLowerCase(), flags))
  } finally {
    const { closeDatabase } = await import('#lib/db/client')
    await closeDatabase()
    await database.leave()
  }
} catch (error) {
  console.error(explain(error, dataFolder))
  process.exit(1)
}
process.exit()

/** Imported here, because these modules read the environment. */
async function linkFor(email: string, flags: string[]): Promise<string> {
  const { isShut } = await import('#lib/services/workspaces/sign-in/demo-account')
  const { passwordLink } = await import('#lib/services/workspaces/sign-in/passwords')
  const { ensureUser, userOfEmail } = await import('#lib/services/workspaces/users')
  if (isShut({ email }))
    throw new Trouble(
      `${email} is the demo account, which works only if nobody else can reach the instance (HOST, APP_URL).`,
    )
  const user = flags.includes('--new') ? await ensureUser(email) : await userOfEmail(email)
  if (!user) throw new Trouble(`No account has the address ${email}. To create one, add --new.`)
  const said = flags.includes('--without-second-factor') ? await takeOff(user.user_id) : ''
  const { url, expires_at } = await passwordLink(user.user_id, new Date())
  const until = expires_at.toISOString().slice(11, 16)
  return `${said}${url}\nThe link sets a new password once, until ${until} UTC, and signs out every browser. API keys keep working.`
}

async function takeOff(userId: string): Promise<string> {
  const { takeOffSecondFactor } = await import('#lib/services/workspaces/sign-in/second-factor-settings')
  return (await takeOffSecondFactor(userId, new Date()))
    ? 'The second factor is off. The password alone signs in until its owner sets up an app again.\n'
    : 'There was no second factor to remove.\n'
}
