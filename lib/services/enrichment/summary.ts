/** Outcomes by field: how many cells were filled, and why others were not. */
export type Summary = Record<string, { filled: number; skipped: Record<string, number> }>

export type RowOutcome = {
  changes: readonly { field: string }[]
  skips: readonly { field: string; reason: string }[]
}

/** Adds the outcomes of rows to a summary; returns a new one. */
export function addToSummary(summary: Summary, outcomes: Iterable<RowOutcome>): Summary {
  const sum = new Map(
    Object.entries(summary).map(([field, one]) => [
      field,
      { filled: one.filled, skipped: { ...one.skipped } },
    ]),
  )
  const of = (field: string) => {
    const one = sum.get(field) ?? { filled: 0, skipped: {} }
    sum.set(field, one)
    return one
  }
  for (const { changes, skips } of outcomes) {
    for (const { field } of changes) of(field).filled += 1
    for (const { field, reason } of skips) {
      const { skipped } = of(field)
      skipped[reason] = (skipped[reason] ?? 0) + 1
    }
  }
  return Object.fromEntries(sum)
}
