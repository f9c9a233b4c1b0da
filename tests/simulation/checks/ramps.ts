import type { Ledger, MailboxRow, RampDayRow } from '#tests/simulation/checks/ledger'
import { Violation } from '#tests/simulation/checks/violation'
import { limitOn } from '#tests/simulation/checks/witness'
import { zoneOf } from '#tests/simulation/checks/zones'
import { daysBetween } from '#tests/simulation/worlds/calendar'

/** I22: a limit by health is decided once a date, rises by no more than its ramp, and does not rise while it is held. */
export function judgeRampDay(ledger: Ledger, row: RampDayRow, old: RampDayRow | null) {
  const fail = (text: string): never => {
    throw new Violation('I22', `${text} (${row.mailbox_id} on ${row.local_date})`)
  }
  const days = ledger.ramp_days.get(row.mailbox_id) ?? []
  if (old) fail('what was decided is changed')
  const mailbox = ledger.mailboxes.get(row.mailbox_id)
  const last = days.at(-1)
  if (mailbox?.ramp_up && last) {
    if (last.local_date >= row.local_date) fail('a date is decided after a later one')
    const held = [last.rises_after, last.local_date].toSorted().at(-1) ?? last.local_date
    const most =
      last.allowed + mailbox.ramp_up.increase_per_day * Math.max(0, daysBetween(held, row.local_date))
    if (row.allowed > most) fail(`${row.allowed} are allowed after ${last.allowed}, held until ${held}`)
  }
  if (mailbox && row.allowed > limitOn(mailbox, row.local_date, zoneOf(ledger, mailbox.workspace_id)))
    fail(`${row.allowed} are more than its calendar allows`)
  ledger.ramp_days.set(row.mailbox_id, [...days, row])
}

/** The limit decided for a date on which the mailbox takes a slot; null: it does not ramp up by health. */
export function decidedLimit(ledger: Ledger, mailbox: MailboxRow, date: string): number | null {
  if (!mailbox.ramp_up?.by_health) return null
  const decided = ledger.ramp_days.get(mailbox.mailbox_id)?.find(({ local_date }) => local_date === date)
  if (!decided)
    throw new Violation('I22', `${mailbox.address} takes a slot on ${date}, which nobody decided on`)
  return decided.allowed
}
