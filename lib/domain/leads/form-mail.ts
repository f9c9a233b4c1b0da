const HOUR_MS = 3_600_000
/** One address gets at most one confirmation email in this time, for all forms of a workspace. */
export const MAIL_EVERY_MS = 24 * HOUR_MS
/** The delays after an offer that did not leave or was refused temporarily. */
const RETRY_MS = [5 * 60_000, HOUR_MS, 4 * HOUR_MS]

export type MailTurn = {
  now: number
  /** When the last email was sent to the address, by any form of the workspace. */
  last_mailed_at: number | null
  /** Of the emails that the form sent within MAIL_EVERY_MS: the time of the first, and their number. */
  first_of_form_at: number | null
  sent_of_form: number
  mails_per_day: number
}

/** When the email of an entry may be offered: now, or once the limit of the address or of the form allows it. */
export function mailTurn(turn: MailTurn): number {
  const { now, last_mailed_at, first_of_form_at, sent_of_form, mails_per_day } = turn
  const rested = last_mailed_at === null ? now : last_mailed_at + MAIL_EVERY_MS
  const isFull = sent_of_form >= mails_per_day && first_of_form_at !== null
  return Math.max(now, rested, isFull ? first_of_form_at + MAIL_EVERY_MS : now)
}

/** When it is offered again after this many tries; null: never. */
export const nextMailTry = (now: number, tries: number): number | null => {
  const wait = RETRY_MS[tries - 1]
  return wait === undefined ? null : now + wait
}

/** The complete email: the form owner's text and the link, and nothing that was entered into the form. */
export const confirmationText = (mail_text: string, url: string, keep_days: number): string =>
  `${mail_text.trim()}

Confirm your address, within ${keep_days === 1 ? 'a day' : `${keep_days} days`}:
${url}

If you did not ask for this, ignore this email. Without your confirmation, the address is erased.
`
