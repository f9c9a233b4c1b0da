import { db } from '#lib/db/client'
import { asRecord } from '#lib/domain/text/record'
import { type Role, seesChosenOnly } from '#lib/domain/workspaces/roles'
import { AppError } from '#lib/errors'

export type Asking = { workspace_id: string; user_id: string; role: Role }

/** The client whose assigned campaigns a list is limited to; null if the reader sees the whole workspace. */
export const chosenBy = ({ role, user_id }: Asking): string | null => (seesChosenOnly(role) ? user_id : null)

/** For objects named in a path: a client's access to a campaign not assigned to them is refused like one of another workspace. */
export async function requireChosen(user: Asking, named: unknown): Promise<void> {
  const { campaign_id, thread_id } = asRecord(named)
  const { workspace_id } = user
  const client = chosenBy(user)
  if (!client) return
  const given = { clients: { some: { workspace_id, user_id: client } } }
  if (typeof campaign_id === 'string') {
    const campaign = await db.campaign.findFirst({
      where: { campaign_id, workspace_id, ...given },
      select: { campaign_id: true },
    })
    if (!campaign) throw new AppError('campaign_not_found')
  }
  if (typeof thread_id !== 'string') return
  const thread = await db.thread.findFirst({
    where: { thread_id, workspace_id },
    select: { campaign_id: true },
  })
  const campaign =
    thread?.campaign_id &&
    (await db.campaign.findFirst({
      where: { campaign_id: thread.campaign_id, workspace_id, ...given },
      select: { campaign_id: true },
    }))
  if (!campaign) throw new AppError('thread_not_found')
}
