import { z } from 'zod'
import { formJson, formNumber, formText } from '../../../../form-result.ts'

const FurtherWindows = z.array(z.object({ from: z.string(), to: z.string() })).catch([])

/** The form values as contract fields; no selected mailbox means all of them. */
export function readSchedule(data: FormData) {
  const mailboxes = data.getAll('alias_ids')
  const start = formText(data, 'sending_window_start')
  const end = formText(data, 'sending_window_end')
  const further = FurtherWindows.parse(formJson(data, 'further_windows'))
  return {
    sending_window_start: start,
    sending_window_end: end,
    sending_windows:
      further.length > 0
        ? [{ start, end }, ...further.map(({ from, to }) => ({ start: from, end: to }))]
        : null,
    timezone: formText(data, 'timezone'),
    schedule_timezone: formText(data, 'schedule_timezone') || undefined,
    holiday_country: formText(data, 'holiday_country') || null,
    holiday_region: formText(data, 'holiday_region') || null,
    send_days: data.getAll('send_days'),
    daily_limit: formNumber(data, 'daily_limit') ?? Number.NaN,
    min_interval_seconds: formNumber(data, 'min_interval_seconds') ?? Number.NaN,
    alias_ids: mailboxes.length > 0 ? mailboxes : null,
  }
}
