import { planImport } from '#lib/domain/datasets/plan'
import { addressBeside, type RefusedRow, type RejectCode, rowJudge } from '#lib/domain/datasets/rows'
import { listedNames } from '#lib/domain/leads/listed-names'
import type { SheetFile } from '#lib/providers/spreadsheet/port'
import { openWorkbook } from '#lib/providers/spreadsheet/workbook'
import type { LeadRowsJob } from '#lib/services/reading/lead-rows'
import { withHead } from '#lib/services/reading/sheet-batches'

export type RowCheckJob = Pick<LeadRowsJob, 'filename' | 'sheet' | 'mapping' | 'email_required'> & {
  /** Whether rows are also matched by profile or telephone number. */
  with_names: boolean
}

/** A row that names a person by profile or telephone number, as suppression entries may. */
export type NamedRow = { email: string | null; names: string[] }

type Reject = RefusedRow & { email: string | null }

/** What an import of a sheet would do: rows read = `kept` + the counts of `refused`. */
export type RowCheck = {
  kept: number
  /** By reason, the most frequent first, each with its first rows. */
  refused: { code: RejectCode; count: number; samples: Reject[] }[]
  /** The first refused rows of any kind, in the order of the file. */
  rejects: Reject[]
  /** The addresses of kept rows. */
  emails: string[]
  /** Kept rows that also name people in other ways, if requested. */
  named: NamedRow[]
}

const MOST_SAMPLES = 3
const MOST_REJECTS = 2_000

/** Checks every row by the same function as the import, and stores nothing. Blocks: run it in a worker. */
export async function checkRows(file: SheetFile, job: RowCheckJob): Promise<RowCheck> {
  const book = await openWorkbook(file, job.filename)
  const sheet = book.sheets.find(({ name }) => name === job.sheet)
  if (!sheet) throw new Error(`The file has no sheet "${job.sheet}".`)
  const { head, batches } = await withHead(book.rows(sheet.index))
  const planned = planImport({ ...head, mapping: job.mapping, email_required: job.email_required })
  if (!planned.ok) throw new Error(planned.problems.map((problem) => problem.message).join(' '))
  const judge = rowJudge(planned.plan)
  const groups = new Map<RejectCode, RowCheck['refused'][number]>()
  const check: RowCheck = { kept: 0, refused: [], rejects: [], emails: [], named: [] }
  for await (const batch of batches) {
    for (const row of batch) {
      const verdict = judge(row)
      if (verdict.kind === 'kept') {
        check.kept++
        const { email, data } = verdict.lead
        if (email !== null) check.emails.push(email)
        const names = job.with_names ? listedNames({ data }) : []
        if (names.length > 0) check.named.push({ email, names })
      }
      if (verdict.kind !== 'refused') continue
      const reject = { ...verdict.reject, email: addressBeside(planned.plan, row, verdict.reject.code) }
      const group = groups.get(reject.code) ?? { code: reject.code, count: 0, samples: [] }
      group.count++
      if (group.samples.length < MOST_SAMPLES) group.samples.push(reject)
      groups.set(reject.code, group)
      if (check.rejects.length < MOST_REJECTS) check.rejects.push(reject)
    }
  }
  check.refused = [...groups.values()].toSorted((a, b) => b.count - a.count)
  return check
}
