import type { z } from 'zod'
import {
  type InboxLabel,
  LABEL_COLORS,
  type LabelColor,
  type SaveInboxLabel,
} from '#lib/contracts/inbox/inbox-labels'
import { db, pool } from '#lib/db/client'
import { AppError } from '#lib/errors'

/** Labels that the instance sets by itself, unless the owner has created one with that name. */
const GIVEN: Record<string, LabelColor> = {
  automatic_reply: 'info',
  unsubscribe: 'warning',
  unreadable: 'danger',
}

const LABELS = `
  SELECT l.label_id, coalesce(l.name, used.label) AS label, l.color, coalesce(used.threads, 0)::int AS threads
  FROM (SELECT * FROM inbox_labels WHERE workspace_id = $1) l
  FULL JOIN (SELECT label, count(*) AS threads FROM threads t, unnest(t.labels) label
             WHERE t.workspace_id = $1 AND t.labels <> '{}' GROUP BY label) used ON used.label = l.name
  ORDER BY 2`

/** The owner's labels and all labels in use, by name. */
export async function readInboxLabels(workspaceId: string): Promise<InboxLabel[]> {
  const { rows } = await pool().query<Omit<InboxLabel, 'color'> & { color: LabelColor | null }>(LABELS, [
    workspaceId,
  ])
  return rows.map((row) => ({ ...row, color: row.color ?? GIVEN[row.label] ?? 'neutral' }))
}

export async function saveInboxLabel(
  workspaceId: string,
  { label, color }: z.output<typeof SaveInboxLabel.body>,
): Promise<InboxLabel> {
  await db.inboxLabel.upsert({
    where: { workspace_id_name: { workspace_id: workspaceId, name: label } },
    create: { workspace_id: workspaceId, name: label, color },
    update: { color },
  })
  const saved = (await readInboxLabels(workspaceId)).find((one) => one.label === label)
  if (!saved) throw new AppError('conflict')
  return saved
}

/** Removes the label from every conversation as well, in one transaction. */
export async function deleteInboxLabel(workspaceId: string, labelId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const saved = await tx.inboxLabel.findFirst({ where: { label_id: labelId, workspace_id: workspaceId } })
    if (!saved) throw new AppError('not_found', { message: 'Label not found.' })
    await tx.inboxLabel.delete({ where: { label_id: labelId } })
    await tx.$executeRaw`
      UPDATE threads SET labels = array_remove(labels, ${saved.name})
      WHERE workspace_id = ${workspaceId}::uuid AND labels <> '{}' AND labels @> ARRAY[${saved.name}]`
  })
}

type Tx = Pick<typeof db, 'inboxLabel'>

/** A label used for the first time gets the next colour. */
export async function createMissingLabels(tx: Tx, workspaceId: string, labels: string[]): Promise<void> {
  const known = await tx.inboxLabel.findMany({ where: { workspace_id: workspaceId }, select: { name: true } })
  const names = new Set(known.map(({ name }) => name))
  const fresh = [...new Set(labels)].filter((label) => !names.has(label) && !(label in GIVEN))
  const data = fresh.map((name, index) => ({
    workspace_id: workspaceId,
    name,
    color: LABEL_COLORS[1 + ((known.length + index) % (LABEL_COLORS.length - 1))] ?? 'neutral',
  }))
  await tx.inboxLabel.createMany({ data, skipDuplicates: true })
}
