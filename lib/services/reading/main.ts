// The reader: `main.ts files` reads files, `main.ts mail` mail. Started by hosts.ts as a process, or as a thread.
import { workerData } from 'node:worker_threads'
import { serve } from '#lib/providers/reader/serve'
import { SpreadsheetError } from '#lib/providers/spreadsheet/port'

const group = workerData?.group ?? process.argv[2]
const { tasks } =
  group === 'files'
    ? { tasks: (await import('#lib/services/reading/file-tasks')).FILE_TASKS }
    : { tasks: (await import('#lib/services/reading/mail-tasks')).MAIL_TASKS }

// The reply phrases of all languages, with what V8 makes of them, take about 75 MB. With less allowance a mail reader would be replaced
// every few hundred mails, which costs more than reading them.
const kept_growth_mb = group === 'files' ? 64 : 96

serve(tasks, {
  kept_growth_mb,
  refusal: (error) =>
    error instanceof SpreadsheetError ? { code: error.code, message: error.message } : null,
})
