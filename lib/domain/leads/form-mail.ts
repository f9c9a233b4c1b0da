const HOUR_MS = 3_600_000
/** One confirmation email to one address in so long, whatever forms of a workspace name it. */
export const MAIL_EVERY_MS = 24 * HOUR_MS
/** After an offer that nothing left by, or that was refused for now. */
const RETRY_MS = [5 * 60_000, HOUR_MS, 4 * HOUR_MS]

export type MailTurn = {
  now: number
  /** When an email last went to the address, by any form of the workspace. */
  last_mailed_at: number | null
  /** When emails of the form left within MAIL_EVERY_MS, the first of them and how many. */
  first_of_form_at: number | null
  sent_of_form: number
  mails_per_day: number
}

/** When the email of an entry may be offered: now, or once the address or the form had a day of rest. */
export function mailTurn(turn: MailTurn): number {
  const { now, last_mailed_at, first_of_form_at, sent_of_form, mails_per_day } = turn
  const rested = last_mailed_at === null ? now : last_mailed_at + MAIL_EVERY_MS
  const isFull = sent_of_form >= mails_per_day && first_of_form_at !== null
  return Math.max(now, rested, isFull ? first_of_form_at + MAIL_EVERY_MS : now)
}

/** When it is offered again, after so many tries; null: not any more. */
export const nextMailTry = (now: number, tries: number): number | null => {
  const wait = RETRY_MS[tries - 1]
  return wait === undefined ? null : now + wait
}

/** The whole email: the words of the form's owner and the link, and nothing of what anybody wrote into the form. */
export const confirmationText = (mail_text: string, url: string, keep_days: number): string =>
  `${mail_text.trim()}

Confirm your address, within ${keep_days === 1 ? 'a day' : `${keep_days} days`}:
${url}

If you did not ask for this, ignore this email. Without your confirmation, the address is erased.
`
