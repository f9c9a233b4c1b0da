import { z } from 'zod'
import { text } from '#lib/contracts/fields'
import { sitePath } from '#lib/domain/text/site-path'

/** Forms of the sign-in pages, not of the API. The hash reads every byte of a password, so its length is capped. */
export const SignIn = z.object({
  email: text(0, 320).trim(),
  password: text(0, 1_000),
})

/** From the authenticator app, or a recovery code. */
export const SignInCode = z.object({ code: text(0, 100) })

const newPassword = () => text(0, 1_000).min(10, 'must have at least 10 characters')

export const SignUp = z.object({
  name: text(1, 100),
  email: z.email('must be an email address').trim().max(320),
  password: newPassword(),
  /** Of the browser; whatever is no time zone counts as none. */
  timezone: text(0, 100).optional(),
})

/** `keep_demo` is a box to tick: such a control is absent where it is not. */
export const FirstAccount = SignUp.extend({ keep_demo: z.literal('on').optional().transform(Boolean) })

export const AskForReset = z.object({ email: z.email('must be an email address').trim().max(320) })

export const NewPassword = z.object({ password: newPassword() })

/** Where a sign-in goes on: a path of this site, or null for whatever else stands in the address. */
export const safeReturnPath = (given: unknown): string | null =>
  typeof given === 'string' ? sitePath(given) : null
