import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import type { GenerationModel } from '#lib/db/generated/models'
import { DbNull } from '#lib/db/json'
import { jsonText } from '#lib/db/json-text'
import { type Statements, sqlList } from '#lib/db/statements'
import { TEXT_MOVES, type TextVerb } from '#lib/domain/personalize/text-moves'

/*
 * What people do to texts after their run: guards and targets come from the domain's table of moves. A text whose words change loses its
 * approval.
 */

type Tx = Pick<typeof db, 'generation'>
type Own = { generation_id: string; workspace_id: string }
type Words = Pick<GenerationModel, 'subject' | 'body'>
type Seal = { seal: string; approved_cells: Record<string, string> }

const from = (verb: TextVerb) => ({ status: { in: [...TEXT_MOVES[verb].from] } })

const UNAPPROVED = { approved_at: null, seal: null, approved_cells: DbNull }

/** Compare-and-set on the text itself, so that a concurrent edit is never approved unseen. False if there was one. */
export async function approveText(tx: Tx, own: Own, { subject, body }: Words, sealed: Seal, now: Date) {
  const { count } = await tx.generation.updateMany({
    where: { ...own, ...from('approve'), subject, body },
    data: { status: TEXT_MOVES.approve.to[0], approved_at: now, ...sealed },
  })
  return count > 0
}

/** Approves many texts, each in the version that was read. */
export async function approveTexts(
  client: Statements,
  texts: (Words & { generation_id: string; seal: string; cells: object })[],
  now: Date,
): Promise<void> {
  await client.query(
    `UPDATE generations g SET approved_at = $2, seal = s.seal, approved_cells = s.cells
     FROM unnest($1::uuid[], $3::text[], $4::text[], $5::text[], $6::jsonb[]) s (generation_id, seal, subject, body, cells)
     WHERE g.generation_id = s.generation_id AND g.status IN (${sqlList(TEXT_MOVES.approve.from)})
       AND g.subject IS NOT DISTINCT FROM s.subject AND g.body = s.body`,
    [
      texts.map((text) => text.generation_id),
      now,
      texts.map((text) => text.seal),
      texts.map((text) => text.subject),
      texts.map((text) => text.body),
      texts.map((text) => jsonText(text.cells)),
    ],
  )
}

/** Rejects texts. Returns how many. */
export async function rejectTexts(which: Own | { run_id: string; workspace_id: string }): Promise<number> {
  const { count } = await db.generation.updateMany({
    where: { ...which, ...from('reject') },
    data: { status: TEXT_MOVES.reject.to[0], ...UNAPPROVED },
  })
  return count
}

/** Stores the owner's own text. */
export async function editText(
  tx: Tx,
  own: Own,
  text: Pick<Prisma.GenerationUpdateManyMutationInput, 'subject' | 'body' | 'claims' | 'flags'>,
  at: { edited_at: Date; generated_at: Date },
): Promise<void> {
  await tx.generation.updateMany({
    where: { ...own, ...from('edit') },
    data: { ...text, ...at, ...UNAPPROVED, status: TEXT_MOVES.edit.to[0], error: null, model: null },
  })
}

/**
 * Marks a text as being rewritten before the model is asked, so that two concurrent requests cost one call. False if it is being rewritten
 * already.
 */
export async function beginRewrite(own: Own, now: Date): Promise<boolean> {
  const stale = new Date(now.getTime() - 900_000)
  const { count } = await db.generation.updateMany({
    where: { ...own, ...from('rewrite'), OR: [{ called_at: null }, { called_at: { lt: stale } }] },
    data: { called_at: now },
  })
  return count > 0
}

/** Ends a rewrite that produced no text. */
export async function dropRewrite(own: Own): Promise<void> {
  await db.generation.updateMany({ where: own, data: { called_at: null } })
}

export async function rewriteText(
  own: Own,
  text: Pick<
    Prisma.GenerationUpdateManyMutationInput,
    'subject' | 'body' | 'claims' | 'flags' | 'lead_snapshot' | 'model' | 'tokens_in' | 'tokens_out'
  >,
  now: Date,
): Promise<void> {
  await db.generation.updateMany({
    where: { ...own, ...from('rewrite') },
    data: {
      ...text,
      ...UNAPPROVED,
      status: TEXT_MOVES.rewrite.to[0],
      error: null,
      generated_at: now,
      edited_at: null,
      called_at: null,
      // So that a concurrent edit of the old text is refused.
      version: { increment: 1 },
    },
  })
}
