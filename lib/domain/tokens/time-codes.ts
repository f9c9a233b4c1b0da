import { timingSafeEqual } from 'node:crypto'
import { HOTP, Secret, TOTP } from 'otpauth'

const PERIOD_S = 30
const DIGITS = 6
/** One step before and one after are accepted: clocks differ, and people type slowly. */
const DRIFT = [0, -1, 1]

/** The number of the current thirty-second step, counted from 1970. */
export const timeStep = (now: Date): number => Math.floor(now.getTime() / 1000 / PERIOD_S)

export const newTimeCodeSecret = (): string => new Secret({ size: 20 }).base32

export const timeCode = (secret: string, step: number): string =>
  HOTP.generate({ secret: Secret.fromBase32(secret), counter: step, digits: DIGITS })

/** The content of the QR code for authenticator apps. */
export const timeCodeUri = (secret: string, account: string, issuer: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret), label: account, issuer }).toString()

export const isTimeCode = (text: string): boolean =>
  text.length === DIGITS && [...text].every((letter) => letter >= '0' && letter <= '9')

/** The step of a code; null for a wrong code, and for a step up to `last_step`: no code is accepted twice. */
export function matchTimeCode(secret: string, code: string, now: Date, last_step: number): number | null {
  if (!isTimeCode(code)) return null
  const given = Buffer.from(code)
  const steps = DRIFT.map((drift) => timeStep(now) + drift).filter((step) => step > last_step)
  return steps.find((step) => timingSafeEqual(Buffer.from(timeCode(secret, step)), given)) ?? null
}
