'use server'

import { revalidatePath } from 'next/cache'
import type { Entry, TickedSuppression } from '#components/leads/suppressions/suppression-selection'
import { counted } from '#components/ui/counted'
import { MAX_REMOVED } from '#lib/contracts/leads/suppressions'
import * as operations from '#lib/operations/leads/suppressions'
import { action, formAction, perform } from '../../action.ts'
import { formText } from '../../form-result.ts'

type Done = { added: number; already_listed: number; leads_ended: number; refused_count?: number }

function said({ added, already_listed, leads_ended, refused_count = 0 }: Done): string {
  const parts = [
    `${added.toLocaleString('en')} added`,
    already_listed > 0 &&
      `${already_listed.toLocaleString('en')} ${already_listed === 1 ? 'was' : 'were'} already listed`,
    refused_count > 0 && `${counted(refused_count, 'rows')} could not be read`,
    leads_ended > 0 && `${counted(leads_ended, 'waiting leads')} ended`,
  ]
  return `${parts.filter((part) => part !== false).join(', ')}.`
}

const anew = '/suppressions'

/** One entry per line, or separated by commas or semicolons. */
export const addSuppressions = formAction(
  operations.addSuppressions,
  (data) => {
    const values = formText(data, 'values')
      .split(/[\n,;]+/)
      .map((value) => value.trim())
      .filter((value) => value !== '')
    return { body: { values, reason: formText(data, 'reason') || undefined } }
  },
  // All lines are in one control.
  { anew, said, control: (path) => path.replace(/^values\.\d+$/, 'values') },
)

export const importSuppressions = formAction(
  operations.importSuppressions,
  (data) => ({ body: { file: data.get('file'), reason: '' } }),
  { anew, said },
)

export const deleteSuppression = action(
  operations.deleteSuppression,
  (suppression_id: string) => ({ params: { suppression_id } }),
  { anew, said: 'It can be contacted again.' },
)

/** Removes entries and returns them with their reasons, so that they can be restored. */
export async function allowAgain(suppression_ids: string[]): Promise<Entry[]> {
  const { removed } = await perform(operations.deleteSuppressions, { body: { suppression_ids } })
  revalidatePath('/suppressions')
  return removed.map(({ value, reason }) => ({ value, reason }))
}

/** Restores entries; returns how many were added. */
export async function suppressAgain(entries: Entry[]): Promise<number> {
  let added = 0
  for (const [reason, own] of Map.groupBy(entries, (entry) => entry.reason)) {
    const body = { values: own.map(({ value }) => value), reason }
    added += (await perform(operations.addSuppressions, { body })).added
  }
  revalidatePath('/suppressions')
  return added
}

/**
 * The entries matching these filters from the start of the list, without the parent's, which cannot be
 * removed here.
 */
export async function selectableSuppressions(filters: Record<string, unknown>) {
  const rows: TickedSuppression[] = []
  let total = Number.POSITIVE_INFINITY
  for (let page = 1; rows.length < Math.min(total, MAX_REMOVED); page += 1) {
    const listed = await perform(operations.listSuppressions, {
      query: { ...filters, from: 'own', page: String(page), page_size: '100' },
    })
    rows.push(...listed.items)
    total = listed.items.length === 0 ? rows.length : listed.total
  }
  return {
    rows: rows.map(({ suppression_id, value, reason, created_at }): TickedSuppression => {
      return { suppression_id, value, reason, created_at }
    }),
    total,
  }
}
