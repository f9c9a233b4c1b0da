'use client'

import { useState } from 'react'
import { Field } from '#components/ui/controls/field'
import { SegmentedControl } from '#components/ui/controls/segmented-control'
import { type Option, Select } from '#components/ui/controls/select'
import { Textarea } from '#components/ui/controls/textarea'
import type { Permissions } from '#lib/contracts/permissions'
import type { ApiKey } from '#lib/contracts/workspaces/api-keys'
import { RESOURCES, VERBS, type Verb } from '#lib/domain/workspaces/key-permissions'
import { KEY_ROLES, type Role } from '#lib/domain/workspaces/roles'
import { roleOptions } from '../members/role-options.tsx'

const ACCESS: Option[] = [
  { value: 'full', label: 'Everything' },
  { value: 'read', label: 'Read only' },
  { value: 'campaigns', label: 'Campaigns only' },
  { value: 'custom', label: 'Custom' },
]

const PRESETS: Record<string, Permissions> = {
  read: Object.fromEntries(RESOURCES.map(({ name }) => [name, 'read' as const])),
  campaigns: { campaigns: 'write', datasets: 'read', templates: 'read', sender_profiles: 'read' },
}

const WORDS: Record<Verb, string> = { none: 'None', read: 'Read', write: 'Write' }
const verbs = VERBS.map((value) => ({ value, label: WORDS[value] }))
const readVerb = (text: unknown): Verb => VERBS.find((verb) => verb === text) ?? 'none'

export type Access = Pick<ApiKey, 'role' | 'permissions' | 'allowed_networks'>

/** The access of a new key. */
export const UNRESTRICTED: Access = { role: null, permissions: null, allowed_networks: [] }

const readRole = (text: unknown) => KEY_ROLES.find((role) => role === text) ?? null

/** The creator's own role, the roles they may grant, and the key's current one. */
const rolesFor = (own: Role, current: Access['role']): Option[] => [
  { value: '', label: 'Same as its creator' },
  ...roleOptions(own, current).filter(({ value }) => readRole(value) !== null),
]

/** Reads the access from the form fields below. */
export function readAccess(data: FormData): Access {
  const chosen = RESOURCES.map(({ name }) => [name, readVerb(data.get(`permission.${name}`))] as const)
  const permitted = chosen.filter(([, verb]) => verb !== 'none')
  const networks = String(data.get('allowed_networks') ?? '').split(/[\s,]/)
  return {
    role: readRole(data.get('role')),
    permissions: data.get('access') === 'full' ? null : Object.fromEntries(permitted),
    allowed_networks: networks.filter(Boolean),
  }
}

/** The field values of an existing key's access. */
export const accessValues = ({ role, permissions, allowed_networks }: Access) => ({
  role: role ?? '',
  access: permissions ? 'custom' : 'full',
  allowed_networks: allowed_networks.join('\n'),
  ...Object.fromEntries(RESOURCES.map(({ name }) => [`permission.${name}`, permissions?.[name] ?? 'none'])),
})

/** The role, permissions and networks of a key. `own`: the role of the user who grants it. */
export function KeyAccess({ own, given }: { own: Role; given: Access }) {
  const { role, permissions, allowed_networks } = given
  const [access, setAccess] = useState(permissions ? 'custom' : 'full')
  const [chosen, setChosen] = useState<Permissions>(permissions ?? {})
  function choose(preset: string) {
    setAccess(preset)
    const permitted = PRESETS[preset]
    if (permitted) setChosen(permitted)
  }
  return (
    <>
      <Field
        label="Role"
        name="role"
        hint="A key never has more rights than the person who created it. If their role is lowered, so is the key’s."
      >
        <Select options={rolesFor(own, role)} defaultValue={role ?? ''} />
      </Field>
      <Field
        label="Access to"
        name="access"
        hint="A request must be allowed by this list, the role and the key’s permissions."
      >
        <Select options={ACCESS} value={access} onChange={(event) => choose(event.currentTarget.value)} />
      </Field>
      <div hidden={access === 'full'} className="grid gap-x-6 sm:grid-cols-2">
        {RESOURCES.map(({ name, tags }) => (
          <div key={name} className="flex min-h-9 items-center justify-between gap-2 border-b border-border">
            <span aria-hidden className="text-sm">
              {tags[0]}
            </span>
            <SegmentedControl
              legend={tags[0]}
              name={`permission.${name}`}
              options={verbs}
              value={chosen[name] ?? 'none'}
              onChange={(verb) => {
                setAccess('custom')
                setChosen((before) => ({ ...before, [name]: readVerb(verb) }))
              }}
            />
          </div>
        ))}
      </div>
      <Field
        label="Allowed networks"
        name="allowed_networks"
        hint="One IP address or network per line, such as 203.0.113.7 or 198.51.100.0/24. Leave empty for any network."
      >
        <Textarea rows={2} defaultValue={allowed_networks.join('\n')} spellCheck={false} />
      </Field>
    </>
  )
}
