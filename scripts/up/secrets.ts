import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import path from 'node:path'
import { giveToOwner } from '#lib/db/embedded-home'
import { Trouble } from '#scripts/up/trouble'

const MAKERS = {
  NEXTAUTH_SECRET: () => randomBytes(32).toString('base64'),
  ENCRYPTION_KEY: () => randomBytes(32).toString('base64'),
  INNGEST_SIGNING_KEY: () => `signkey-prod-${randomBytes(32).toString('hex')}`,
  INNGEST_EVENT_KEY: () => randomBytes(16).toString('hex'),
} as const

/** Includes the keys before ENCRYPTION_KEY if it was replaced: comma-separated, newest first. */
export type Secrets = Record<keyof typeof MAKERS | 'ENCRYPTION_KEYS_OLD', string>

const LOST =
  '`npm run rotate-key -- --new` makes a new key; passwords of mailboxes then have to be entered again, and links in sent emails stop working.'

/**
 * The secrets of a data folder, generated once and stored in `secrets.json` for its owner only: without the ENCRYPTION_KEY
 * nobody can decrypt the mailbox passwords. The environment takes precedence over the file.
 */
export function readSecrets(dataFolder: string, env: Record<string, string | undefined>): Secrets {
  const file = fileIn(dataFolder)
  const kept = readKept(file)
  if (!kept.ENCRYPTION_KEY && !env.ENCRYPTION_KEY && fs.existsSync(path.join(dataFolder, 'postgres.json')))
    throw new Trouble(
      `${file} is missing, and the key of the database beside it is in it: put a copy of it back. If there is none, ${LOST}`,
    )
  const whole = complete(kept)
  if (JSON.stringify(whole) !== JSON.stringify(kept)) writePrivately(file, whole)
  else closeToOthers(file)
  const secrets = {
    NEXTAUTH_SECRET: env.NEXTAUTH_SECRET || whole.NEXTAUTH_SECRET,
    ENCRYPTION_KEY: env.ENCRYPTION_KEY || whole.ENCRYPTION_KEY,
    INNGEST_SIGNING_KEY: env.INNGEST_SIGNING_KEY || whole.INNGEST_SIGNING_KEY,
    INNGEST_EVENT_KEY: env.INNGEST_EVENT_KEY || whole.INNGEST_EVENT_KEY,
    ENCRYPTION_KEYS_OLD: env.ENCRYPTION_KEYS_OLD || whole.ENCRYPTION_KEYS_OLD,
  }
  if (!env.ENCRYPTION_KMS) requireKeys(secrets)
  return secrets
}

const fileIn = (dataFolder: string) => path.join(dataFolder, 'secrets.json')

const complete = (kept: Partial<Secrets>): Secrets => ({
  NEXTAUTH_SECRET: kept.NEXTAUTH_SECRET ?? MAKERS.NEXTAUTH_SECRET(),
  ENCRYPTION_KEY: kept.ENCRYPTION_KEY ?? MAKERS.ENCRYPTION_KEY(),
  INNGEST_SIGNING_KEY: kept.INNGEST_SIGNING_KEY ?? MAKERS.INNGEST_SIGNING_KEY(),
  INNGEST_EVENT_KEY: kept.INNGEST_EVENT_KEY ?? MAKERS.INNGEST_EVENT_KEY(),
  ENCRYPTION_KEYS_OLD: kept.ENCRYPTION_KEYS_OLD ?? '',
})

/** Refuses keys that cannot encrypt; otherwise the first saved password would fail. */
function requireKeys({ ENCRYPTION_KEY, ENCRYPTION_KEYS_OLD }: Secrets) {
  const given = { ENCRYPTION_KEY: [ENCRYPTION_KEY], ENCRYPTION_KEYS_OLD: ENCRYPTION_KEYS_OLD.split(',') }
  for (const [name, keys] of Object.entries(given))
    if (keys.some((key) => key.trim() && Buffer.from(key, 'base64').length !== 32))
      throw new Trouble(`${name} must be 32 bytes in base64: \`openssl rand -base64 32\` makes one.`)
}

/** Copying or restoring the folder may have made the file readable for everybody on the machine. */
function closeToOthers(file: string) {
  const mode = fs.statSync(file).mode & 0o777
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  fs.chmodSync(file, 0o600)
  console.error(
    `Others on this machine could read ${file} (mode ${mode.toString(8)}): only its owner can now.`,
  )
}

function readKept(file: string): Partial<Secrets> {
  if (!fs.existsSync(file)) return {}
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Trouble(
      `${file} is damaged, and the key of the mailbox passwords is in it: put a copy of it back. If there is none, move it away: ${LOST}`,
    )
  }
}

/**
 * Writes a new key into the file and keeps the previous one for what it has encrypted. Creates the file if it is lost. Returns whether
 * there was a previous key.
 */
export function makeNewKey(dataFolder: string): { hasOld: boolean } {
  const kept = readKept(fileIn(dataFolder))
  const old = [kept.ENCRYPTION_KEY, kept.ENCRYPTION_KEYS_OLD].filter(Boolean).join(',')
  writePrivately(
    fileIn(dataFolder),
    complete({ ...kept, ENCRYPTION_KEY: MAKERS.ENCRYPTION_KEY(), ENCRYPTION_KEYS_OLD: old }),
  )
  return { hasOld: old !== '' }
}

/** Written beside and renamed, so that neither a crash, nor a power cut, nor a full disk leaves half a file. */
export function writePrivately(file: string, value: unknown) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true })
  giveToOwner(`${file}.new`)
  fs.renameSync(`${file}.new`, file)
}
