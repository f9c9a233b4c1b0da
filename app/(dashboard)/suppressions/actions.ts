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

/** One per line, or parted by commas or semicolons. */
export const addSuppressions = formAction(
  operations.addSuppressions,
  (data) => {
    const values = formText(data, 'values')
      .split(/[\n,;]+/)
      .map((value) => value.trim())
      .filter((value) => value !== '')
    return { body: { values, reason: formText(data, 'reason') || undefined } }
  },
  // Every line stands in one control.
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

/** Those that were listed, each with its reason, so that they can be put back. */
export async function allowAgain(suppression_ids: string[]): Promise<Entry[]> {
  const { removed } = await perform(operations.deleteSuppressions, { body: { suppression_ids } })
  revalidatePath('/suppressions')
  return removed.map(({ value, reason }) => ({ value, reason }))
}

/** The other way round; answers how many are listed again. */
export async function suppressAgain(entries: Entry[]): Promise<number> {
  let added = 0
  for (const [reason, own] of Map.groupBy(entries, (entry) => entry.reason)) {
    const body = { values: own.map(({ value }) => value), reason }
    added += (await perform(operations.addSuppressions, { body })).added
  }
  revalidatePath('/suppressions')
  return added
}

/** What the list shows with these filters, from its beginning, as far as it can be taken off here. */
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
