import { type PasswordWeakness, passwordWeakness } from '#lib/domain/workspaces/password-weakness'
import { invalid } from '#lib/errors'
import { hashPassword } from '#lib/services/workspaces/sign-in/password-hashes'

const SAID: Record<PasswordWeakness, string> = {
  common: 'is one of the commonest passwords, which are tried first: choose another',
  common_with_little_added:
    'is a common password with little added, which is tried soon: choose another, or several words',
  pattern: 'is one pattern again and again: choose another, or several words',
  about_you: 'is based on your address or the name Opener; choose another, or use several words',
}

/** The hash of a password chosen for the account of `email`; `control` is the form field it was typed into. */
export async function hashOfChosen(password: string, email: string, control = 'password'): Promise<string> {
  const weakness = passwordWeakness(password, email)
  if (weakness) throw invalid(['body', control], SAID[weakness])
  return hashPassword(password)
}
