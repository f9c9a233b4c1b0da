import { formNumber, formText } from '../../../../form-result.ts'

/** The controls of the schedule as the fields of the contract; no mailbox chosen means every one. */
export function readSchedule(data: FormData) {
  const mailboxes = data.getAll('alias_ids')
  return {
    sending_window_start: formText(data, 'sending_window_start'),
    sending_window_end: formText(data, 'sending_window_end'),
    timezone: formText(data, 'timezone'),
    send_days: data.getAll('send_days'),
    daily_limit: formNumber(data, 'daily_limit') ?? Number.NaN,
    min_interval_seconds: formNumber(data, 'min_interval_seconds') ?? Number.NaN,
    alias_ids: mailboxes.length > 0 ? mailboxes : null,
  }
}
