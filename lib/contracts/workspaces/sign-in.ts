import { z } from 'zod'
import { text } from '#lib/contracts/fields'
import { sitePath } from '#lib/domain/text/site-path'

/** Forms of the sign-in pages, not of the API. The hash reads every byte of a password, so its length is limited. */
export const SignIn = z.object({
  email: text(0, 320).trim(),
  password: text(0, 1_000),
})

/** A code of the authenticator app, or a recovery code. */
export const SignInCode = z.object({ code: text(0, 100) })

const newPassword = () => text(0, 1_000).min(10, 'must have at least 10 characters')

export const SignUp = z.object({
  name: text(1, 100),
  email: z.email('must be an email address').trim().max(320),
  password: newPassword(),
  /** The browser's time zone; an invalid one counts as absent. */
  timezone: text(0, 100).optional(),
})

/** `keep_demo` is a checkbox: the field is absent if it is not ticked. */
export const FirstAccount = SignUp.extend({ keep_demo: z.literal('on').optional().transform(Boolean) })

export const AskForReset = z.object({ email: z.email('must be an email address').trim().max(320) })

export const NewPassword = z.object({ password: newPassword() })

/** Where to go after signing in: a path of this site, or null for anything else. */
export const safeReturnPath = (given: unknown): string | null =>
  typeof given === 'string' ? sitePath(given) : null
