import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import path from 'node:path'
import { Trouble } from '#scripts/up/trouble'

const MAKERS = {
  NEXTAUTH_SECRET: () => randomBytes(32).toString('base64'),
  ENCRYPTION_KEY: () => randomBytes(32).toString('base64'),
  INNGEST_SIGNING_KEY: () => `signkey-prod-${randomBytes(32).toString('hex')}`,
  INNGEST_EVENT_KEY: () => randomBytes(16).toString('hex'),
} as const

/** With the keys before ENCRYPTION_KEY, where it was made anew: with commas, newest first. */
export type Secrets = Record<keyof typeof MAKERS | 'ENCRYPTION_KEYS_OLD', string>

/**
 * The secrets of a data folder, made once and kept in `secrets.json` for its owner only: without the
 * ENCRYPTION_KEY nobody can open the mailbox passwords again. The environment wins over the file.
 */
export function readSecrets(dataFolder: string, env: Record<string, string | undefined>): Secrets {
  const file = path.join(dataFolder, 'secrets.json')
  const kept = readKept(file)
  const whole: Secrets = {
    NEXTAUTH_SECRET: kept.NEXTAUTH_SECRET ?? MAKERS.NEXTAUTH_SECRET(),
    ENCRYPTION_KEY: kept.ENCRYPTION_KEY ?? MAKERS.ENCRYPTION_KEY(),
    INNGEST_SIGNING_KEY: kept.INNGEST_SIGNING_KEY ?? MAKERS.INNGEST_SIGNING_KEY(),
    INNGEST_EVENT_KEY: kept.INNGEST_EVENT_KEY ?? MAKERS.INNGEST_EVENT_KEY(),
    ENCRYPTION_KEYS_OLD: kept.ENCRYPTION_KEYS_OLD ?? '',
  }
  if (JSON.stringify(whole) !== JSON.stringify(kept)) writePrivately(file, whole)
  return {
    NEXTAUTH_SECRET: env.NEXTAUTH_SECRET || whole.NEXTAUTH_SECRET,
    ENCRYPTION_KEY: env.ENCRYPTION_KEY || whole.ENCRYPTION_KEY,
    INNGEST_SIGNING_KEY: env.INNGEST_SIGNING_KEY || whole.INNGEST_SIGNING_KEY,
    INNGEST_EVENT_KEY: env.INNGEST_EVENT_KEY || whole.INNGEST_EVENT_KEY,
    ENCRYPTION_KEYS_OLD: env.ENCRYPTION_KEYS_OLD || whole.ENCRYPTION_KEYS_OLD,
  }
}

function readKept(file: string): Partial<Secrets> {
  if (!fs.existsSync(file)) return {}
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Trouble(
      `${file} is damaged, and the key of the mailbox passwords is in it: put a copy of it back. If there is none, remove it; passwords of mailboxes then have to be entered again, and links in sent emails stop working.`,
    )
  }
}

/** Puts a new key into the file; the one that was there opens from then on what it has sealed. */
export function makeNewKey(dataFolder: string): void {
  const { ENCRYPTION_KEY, ENCRYPTION_KEYS_OLD, ...others } = readSecrets(dataFolder, {})
  const old = [ENCRYPTION_KEY, ...ENCRYPTION_KEYS_OLD.split(',').filter(Boolean)].join(',')
  const whole = { ...others, ENCRYPTION_KEY: MAKERS.ENCRYPTION_KEY(), ENCRYPTION_KEYS_OLD: old }
  writePrivately(path.join(dataFolder, 'secrets.json'), whole satisfies Secrets)
}

/** Written beside and renamed, so that neither a crash, nor a power cut, nor a full disk leaves half a file. */
export function writePrivately(file: string, value: unknown) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true })
  fs.renameSync(`${file}.new`, file)
}
