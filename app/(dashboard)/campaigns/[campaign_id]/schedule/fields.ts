import { numberOf, textOf } from '../../../../form-result.ts'

/** The controls of the schedule as the fields of the contract; no mailbox chosen means every one. */
export function readSchedule(data: FormData) {
  const mailboxes = data.getAll('alias_ids')
  return {
    sending_window_start: textOf(data, 'sending_window_start'),
    sending_window_end: textOf(data, 'sending_window_end'),
    timezone: textOf(data, 'timezone'),
    send_days: data.getAll('send_days'),
    daily_limit: numberOf(data, 'daily_limit') ?? Number.NaN,
    min_interval_seconds: numberOf(data, 'min_interval_seconds') ?? Number.NaN,
    alias_ids: mailboxes.length > 0 ? mailboxes : null,
  }
}
