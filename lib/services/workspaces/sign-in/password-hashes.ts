import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { AppError } from '#lib/errors'
import { processState } from '#lib/process-state'
import { createGate } from '#lib/services/instance/admission-gate'

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
/** A hash keeps a core busy for tens of milliseconds, so one core is left for everything else, however many people sign in. */
const AT_ONCE = Math.max(1, Math.min(3, availableParallelism() - 1))
const WAITING = 24

const hash = promisify(argon2)
const hashing = processState('password hashes', () => ({
  enter: createGate({ at_once: AT_ONCE, waiting: WAITING }),
  /** The duration of the last hash: it depends on the machine and its load. */
  last_ms: 50,
}))

async function digest(password: string, nonce: Buffer): Promise<Buffer> {
  const hashed = await hashing.enter(async () => {
    const started = performance.now()
    const bytes = await hash('argon2id', { message: password, nonce, ...COST })
    hashing.last_ms = performance.now() - started
    return bytes
  })
  if (hashed) return hashed.done
  const seconds = Math.max(2, Math.ceil((WAITING * hashing.last_ms) / AT_ONCE / 1000))
  throw new AppError('rate_limited', {
    message: `Too many sign-ins at once. Try again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  })
}

/** "argon2id$nonce$hash", both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  return `argon2id$${nonce.toString('base64url')}$${(await digest(password, nonce)).toString('base64url')}`
}

/** A hash of an unknown random value, so that an unknown address takes as long as a wrong password. */
const NOBODY = `argon2id$${randomBytes(16).toString('base64url')}$${randomBytes(32).toString('base64url')}`

/** False, after the same time, if there is no stored hash. */
export async function matchesPassword(password: string, stored: string | null): Promise<boolean> {
  const [, nonce = '', expected = ''] = (stored ?? NOBODY).split('$')
  const given = await digest(password, Buffer.from(nonce, 'base64url'))
  const wanted = Buffer.from(expected, 'base64url')
  return given.length === wanted.length && timingSafeEqual(given, wanted) && stored !== null
}
