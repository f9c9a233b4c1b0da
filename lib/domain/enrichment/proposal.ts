/** `certain` follows from the row; `likely` is the best of few readings, and is labelled so. */
export type Certainty = 'certain' | 'likely'

/** A proposed value for a cell, with its source. */
export type Proposal = {
  field: string
  value: string
  rule: string
  /** The field of the row it was read from, or the provider that was asked. */
  source: string
  certainty: Certainty
  /** Corrects the cell's own value, so it is written only if filled cells may be replaced. */
  fixes?: true
}

/** Why a rule left a field empty; `field` is the field it would have filled. */
export type Skip = { field: string; reason: string }

export type Findings = { proposals: Proposal[]; skips: Skip[] }

export type CellChange = {
  field: string
  old_value: string | null
  new_value: string
  rule: string
  source: string
  certainty: Certainty
}

/** Text by field, as in a dataset's row. */
export type LeadData = Readonly<Record<string, string>>

/** Why parts of a row may not be changed; null: they may. */
export type Lock = { filled_cells: string | null; email: string | null }

export const UNLOCKED: Lock = { filled_cells: null, email: null }

/** A cell is also a merge field, so it never grows beyond what a message can hold. */
const MAX_VALUE_CHARS = 2_000

/**
 * Decides which proposals become changes. A filled cell is not changed unless `overwrite`; the first proposal for a field
 * counts; a value equal to the current one is no change. Everything left out is a skip with its reason.
 */
export function decideCells(
  row: LeadData,
  { proposals, skips }: Findings,
  { overwrite, lock = UNLOCKED }: { overwrite: boolean; lock?: Lock },
): { changes: CellChange[]; skips: Skip[] } {
  const changes = new Map<string, CellChange>()
  const left = new Map<string, string>()
  for (const { fixes: _, ...proposal } of proposals) {
    if (changes.has(proposal.field)) continue
    const old_value = readCell(row, proposal.field)
    const value = proposal.value.trim().slice(0, MAX_VALUE_CHARS)
    const refusal = findRefusal(proposal.field, old_value, value, { overwrite, lock })
    if (refusal) {
      left.set(proposal.field, refusal)
      continue
    }
    const { field, rule, source, certainty } = proposal
    changes.set(field, { field, old_value, new_value: value, rule, source, certainty })
  }
  for (const { field, reason } of skips) if (!left.has(field)) left.set(field, reason)
  return {
    changes: [...changes.values()],
    skips: [...left].flatMap(([field, reason]) => (changes.has(field) ? [] : [{ field, reason }])),
  }
}

function readCell(row: LeadData, field: string): string | null {
  const text = Object.hasOwn(row, field) ? row[field] : undefined
  return text === undefined || text.trim() === '' ? null : text
}

function findRefusal(
  field: string,
  old: string | null,
  value: string,
  { overwrite, lock }: { overwrite: boolean; lock: Lock },
): string | null {
  if (value === '') return 'nothing_found'
  if (old === value) return 'already_so'
  if (field === 'email' && lock.email) return lock.email
  if (old === null) return null
  if (!overwrite) return 'already_filled'
  return lock.filled_cells
}
