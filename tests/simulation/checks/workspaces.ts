import { type ActionRow, type Change, type Ledger, listedSince } from '#tests/simulation/checks/ledger'
import { Violation } from '#tests/simulation/checks/violation'
import type { Fail } from '#tests/simulation/checks/witness'

type Owned = { workspace_id: string }

/** The rows that a suppression changes, in all workspaces that the list holds for. */
const SHARED: Change['kind'][] = ['suppressions', 'campaign_leads', 'campaigns']

/** I15: an action in one workspace, and each claim, changes rows of that workspace only, except through a list that a family shares. */
export function judgeTouch({ parents }: Ledger, changes: Change[], acting: string | null): void {
  // A worker renews the leases of all its actions in one statement, across workspaces.
  const claim = changes.find(
    ({ kind, row, old }) => kind === 'actions' && row.status === 'sending' && old?.status !== 'sending',
  )
  const mine = acting ?? claim?.row.workspace_id
  const head = (workspaceId: string) => parents.get(workspaceId) ?? workspaceId
  const isShared = ({ kind, row }: Change) =>
    !claim && SHARED.includes(kind) && head(row.workspace_id) === head(mine ?? '')
  const foreign = mine && changes.find((change) => change.row.workspace_id !== mine && !isShared(change))
  if (foreign)
    throw new Violation('I15', `what was done in another workspace changed a row of ${foreign.kind}`)
}

/** I15: campaign, lead and sender of a slot belong to one workspace, which is not erased. */
export function judgeOwner(
  ledger: Ledger,
  { workspace_id }: ActionRow,
  parts: (Owned | undefined)[],
  fail: Fail,
) {
  if (parts.some((part) => part && part.workspace_id !== workspace_id))
    fail('I15', 'a slot with a part of another workspace')
  if (ledger.erased.has(workspace_id)) fail('I15', 'claimed after its workspace was erased')
}

/** I15: a suppression ends leads only in the workspaces that its list holds for. */
export function judgeEndings(ledger: Ledger, changes: Change[]): void {
  for (const { kind, row, old } of changes) {
    if (kind !== 'campaign_leads' || row.status !== 'unsubscribed' || old?.status === 'unsubscribed') continue
    if (listedSince(ledger, row.workspace_id, row.email).length === 0)
      throw new Violation('I15', `${row.email} was unsubscribed, and is on no list of its workspace`)
  }
}
