'use client'

import { useMemo, useState } from 'react'
import { UNDO_MS } from '#components/lists/selection'
import { useLock } from '#components/ui/controls/lock'
import { toast } from '#components/ui/overlays/toast'
import { ownValue } from '#lib/domain/text/own-value'
import type { RowLine } from '../row-line.tsx'

export type CellChange = { lead_index: number; version: number; key: string; value: string }
export type CellAnswer =
  | { ok: true; row: RowLine }
  | { ok: false; message: string; fields?: Record<string, string> }
export type EditCell = (change: CellChange) => Promise<CellAnswer>

type At = { lead_index: number; key: string }

const LOST = 'The server could not be reached. Try again.'
const isAt = (at: At | null, row: RowLine, key: string) => at?.lead_index === row.lead_index && at.key === key

/** The cell being edited, and saved edits that are newer than the loaded list. */
export function useCellEdits(edit: EditCell | undefined, columns: { key: string; label: string }[]) {
  const [edited, setEdited] = useState<At | null>(null)
  const [left, setLeft] = useState<At | null>(null)
  const [newer, setNewer] = useState<ReadonlyMap<number, RowLine>>(new Map())
  const isLocked = useLock() !== null

  const latest = (row: RowLine): RowLine => {
    const known = newer.get(row.lead_index)
    return known && known.version > row.version ? known : row
  }

  /** Returns why nothing was saved, or null. */
  async function write(row: RowLine, key: string, value: string, isUndo: boolean): Promise<string | null> {
    const { lead_index, version } = row
    const label = columns.find((column) => column.key === key)?.label ?? key
    const answer = await edit?.({ lead_index, version, key, value }).catch(() => null)
    if (!answer) return LOST
    if (!answer.ok) {
      const problem = answer.fields?.[`data.${key}`]
      return problem ? `${label}: ${problem}` : answer.message
    }
    const { [key]: _, ...from } = row.from
    const now = { ...answer.row, from }
    setNewer((before) => new Map(before).set(lead_index, now))
    const undo = async () => {
      const refusal = await write(now, key, ownValue(row.cells, key) ?? '', true)
      if (refusal) toast.error(refusal, { duration: Number.POSITIVE_INFINITY })
    }
    toast.success(
      `${label} of row ${lead_index + 1} ${isUndo ? 'is as it was' : 'is saved'}.`,
      isUndo ? {} : { duration: UNDO_MS, action: { label: 'Undo', onClick: undo } },
    )
    return null
  }

  function open(row: RowLine, key: string) {
    setLeft(null)
    setEdited({ lead_index: row.lead_index, key })
  }
  function done(row: RowLine, key: string, way: -1 | 0 | 1) {
    const next = columns[columns.findIndex((column) => column.key === key) + way]
    // A cell's input shows one line only, so cells with several lines are not edited in place.
    if (way !== 0 && next && !latest(row).cells[next.key]?.includes('\n')) return open(row, next.key)
    setEdited(null)
    setLeft({ lead_index: row.lead_index, key })
  }
  const mayEdit = edit !== undefined && !isLocked
  return {
    /** Another one where any of them would answer otherwise. */
    state: useMemo(() => ({ edited, left, newer, mayEdit }), [edited, left, newer, mayEdit]),
    mayEdit,
    latest,
    isEdited: (row: RowLine, key: string) => isAt(edited, row, key),
    isBack: (row: RowLine, key: string) => isAt(left, row, key),
    open,
    done,
    save: (row: RowLine, key: string, value: string) => write(row, key, value, false),
  }
}
