import { GroupRolesForm } from '#components/workspaces/members/group-roles-form'
import { SignInDomains } from '#components/workspaces/members/sign-in-domains'
import { ListSignInDomains } from '#lib/contracts/workspaces/sign-in-domains'
import type { requireUser } from '#lib/http/session'
import { readGroupRoles } from '#lib/services/workspaces/joining/group-roles'
import { listSignInDomains } from '#lib/services/workspaces/joining/sign-in-domains'
import { identityProviders } from '#lib/services/workspaces/sign-in/identity-providers'
import * as actions from './sign-in-actions.ts'

/** There are never more. */
const ALL = { page: 1, page_size: 100 }

/** Settings for sign-in with an identity provider; for admins. */
export async function ByProvider({ user }: { user: Awaited<ReturnType<typeof requireUser>> }) {
  const { workspace_id, role } = user
  const [domains, groups] = await Promise.all([
    listSignInDomains(user, workspace_id, ALL),
    readGroupRoles(user, workspace_id),
  ])
  return (
    <>
      <SignInDomains
        domains={ListSignInDomains.response.parse(domains).items}
        providers={identityProviders().map(({ name }) => name)}
        add={actions.addDomain}
        change={actions.changeDomain}
        verify={actions.verifyDomain}
        remove={actions.removeDomain}
      />
      <GroupRolesForm rules={groups} role={role} save={actions.saveGroups} />
    </>
  )
}
