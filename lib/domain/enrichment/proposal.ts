/** `certain` follows from what stands in the row; `likely` is the better of few readings, and is said to be one. */
export type Certainty = 'certain' | 'likely'

/** A value for a cell, with what it rests on. */
export type Proposal = {
  field: string
  value: string
  rule: string
  /** The field of the row that it was read from, or the provider that was asked. */
  source: string
  certainty: Certainty
  /** Fixes what the cell says already, so it is written only where filled cells may be replaced. */
  fixes?: true
}

/** Why a rule left a field empty; `field` is where its value would have stood. */
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

/** Text by field, as a dataset keeps a row. */
export type LeadData = Readonly<Record<string, string>>

/** What a row may not have changed, and why. */
export type Lock = { filled_cells: string | null; email: string | null }

export const UNLOCKED: Lock = { filled_cells: null, email: null }

/** Column and merge field are the same text, so a cell never grows beyond what a message can hold. */
const MAX_VALUE_CHARS = 2_000

/**
 * Decides which proposals become changes. A filled cell is left alone unless `overwrite`; the first proposal for a field
 * counts; a value equal to what stands there is no change. Everything left out is a skip with its reason.
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
