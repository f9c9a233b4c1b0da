import { z } from 'zod'
import { text } from '#lib/contracts/fields'

/** Forms of the sign-in pages, not of the API. The hash reads every byte of a password, so its length is capped. */
export const SignIn = z.object({
  email: z.string().trim().max(320),
  password: z.string().max(1_000),
})

export const SignUp = z.object({
  name: text(1, 100),
  email: z.email('must be an e-mail address').trim().max(320),
  password: text(10, 1_000),
})
