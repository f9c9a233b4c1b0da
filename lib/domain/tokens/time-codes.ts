import { timingSafeEqual } from 'node:crypto'
import { HOTP, Secret, TOTP } from 'otpauth'

const PERIOD_S = 30
const DIGITS = 6
/** A step before and one after: clocks differ, and people type slowly. */
const DRIFT = [0, -1, 1]

/** Which thirty seconds it is, counted from 1970. */
export const timeStep = (now: Date): number => Math.floor(now.getTime() / 1000 / PERIOD_S)

export const newTimeCodeSecret = (): string => new Secret({ size: 20 }).base32

export const timeCode = (secret: string, step: number): string =>
  HOTP.generate({ secret: Secret.fromBase32(secret), counter: step, digits: DIGITS })

/** What authenticator apps read from the square. */
export const timeCodeUri = (secret: string, account: string, issuer: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret), label: account, issuer }).toString()

export const isTimeCode = (text: string): boolean =>
  text.length === DIGITS && [...text].every((letter) => letter >= '0' && letter <= '9')

/** The step whose code this is; null for a wrong one, and for one of `last_step` or before: none is taken twice. */
export function matchTimeCode(secret: string, code: string, now: Date, last_step: number): number | null {
  if (!isTimeCode(code)) return null
  const given = Buffer.from(code)
  const steps = DRIFT.map((drift) => timeStep(now) + drift).filter((step) => step > last_step)
  return steps.find((step) => timingSafeEqual(Buffer.from(timeCode(secret, step)), given)) ?? null
}
