import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import { AskAdmin } from '#components/workspaces/ask-admin'
import type { GroupRoles } from '#lib/contracts/workspaces/group-roles'
import { GROUP_ROLES } from '#lib/domain/workspaces/provider-roles'
import type { Role } from '#lib/domain/workspaces/roles'
import { roleLabel } from './role-options.tsx'

const OPTIONS = GROUP_ROLES.map((role) => ({ value: role, label: roleLabel(role) }))
/** Empty rows to fill in; more appear after saving. */
const EMPTY_ROWS = 2

type Props = { rules: GroupRoles; role: Role; save: FormAction }

/** The roles granted by groups of the identity provider. Field names are those of the action. */
export function GroupRolesForm({ rules, role, save }: Props) {
  const empty = Array.from({ length: EMPTY_ROWS }, () => ({ group: '', role: 'member' as const }))
  return (
    <Panel
      title="Roles by group"
      description={`At each sign-in, people who joined by domain get the role of their group in the claim ${rules.claim}. The highest role wins. Without a group here, they get their domain’s role. Owners stay owners.`}
    >
      <AskAdmin role={role} needs="owner">
        <ActionForm version={rules.version} action={save} className="grid max-w-2xl gap-4">
          <input type="hidden" name="version" value={rules.version} />
          {[...rules.roles, ...empty].map((row, index) => (
            <fieldset key={row.group || `new ${index}`} className="grid gap-2 sm:grid-cols-[1fr_10rem]">
              <legend className="sr-only">
                {row.group || `New group ${index - rules.roles.length + 1}`}
              </legend>
              <Field label="Group" name={`roles.${index}.group`}>
                <Input maxLength={256} autoComplete="off" defaultValue={row.group} />
              </Field>
              <Field label="Role" name={`roles.${index}.role`}>
                <Select options={OPTIONS} defaultValue={row.role} />
              </Field>
            </fieldset>
          ))}
          <Checkbox
            name="includes_invited"
            defaultChecked={rules.includes_invited}
            label="Also for people who were invited or whose role was set manually"
          />
          <div>
            <SubmitButton variant="secondary">Save groups</SubmitButton>
          </div>
        </ActionForm>
      </AskAdmin>
    </Panel>
  )
}
