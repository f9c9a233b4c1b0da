import { ViewBar } from '#components/lists/view-bar'
import type { Query } from '#components/ui/query-href'
import { CreateView, ListViews } from '#lib/contracts/leads/views'
import { roleRefusal } from '#lib/contracts/workspaces/roles'
import type { SignedIn } from '#lib/http/session'
import { listViews } from '#lib/services/leads/people/views'
import { removeView, renameView, saveView } from '../view-actions.ts'

const ACTS = { save: saveView.bind(null, 'inbox'), rename: renameView, remove: removeView }

/** Only above the list: beside a conversation there is no room. */
export async function InboxViews({
  user,
  query,
}: {
  user: Pick<SignedIn, 'workspace_id' | 'role'>
  query: Query
}) {
  const asked = ListViews.query.parse({ list: 'inbox', page_size: 100 })
  const { items } = await listViews(user.workspace_id, asked)
  // A folder alone is already one click away.
  const isNarrowed = Object.keys(query).some((name) => name !== 'folder')
  const acts = isNarrowed && roleRefusal(user.role, CreateView) === null ? ACTS : null
  return <ViewBar list="inbox" views={items} query={query} acts={acts} />
}
