'use client'

import { useRef, useState } from 'react'
import { ActionForm, type FormResult } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import type { Role } from '#lib/domain/workspaces/roles'
import { CampaignChoice, type NamedCampaign } from './campaign-choice.tsx'
import { InvitationLink, type InvitationResult } from './invitation-link.tsx'
import { roleOptions } from './role-options.tsx'

type Props = { role: Role; campaigns: NamedCampaign[]; invite: (data: FormData) => Promise<InvitationResult> }

export function InviteForm({ role, campaigns, invite }: Props) {
  const [link, setLink] = useState<InvitationResult['link']>()
  const [invited, setInvited] = useState(0)
  const made = useRef<InvitationResult['link']>(undefined)
  async function submit(_: FormResult | null, data: FormData): Promise<FormResult> {
    const { link: fresh, ...result } = await invite(data)
    made.current = fresh
    return result
  }
  return (
    <Panel title="Invite somebody" description="They join with a link that works once, within 7 days.">
      <ActionForm
        action={submit}
        basis={invited}
        onDone={() => {
          setLink(made.current)
          setInvited(invited + 1)
        }}
        className="group grid max-w-xl gap-4"
      >
        <Field label="Email" name="email" required>
          <Input type="email" maxLength={320} autoComplete="off" />
        </Field>
        <Field label="Role" name="role" required>
          <Select options={roleOptions(role)} defaultValue="member" />
        </Field>
        <CampaignChoice
          campaigns={campaigns}
          className="hidden group-has-[option[value=client]:checked]:grid"
        />
        <div>
          <SubmitButton>Send invitation</SubmitButton>
        </div>
      </ActionForm>
      <InvitationLink link={link ?? null} onCopied={() => setLink(undefined)} />
    </Panel>
  )
}
