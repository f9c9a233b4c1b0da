'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import type { InvitationResult } from '#components/workspaces/members/invitation-link'
import type { RemovalAnswer } from '#components/workspaces/members/remove-member'
import { requireUser } from '#lib/http/session'
import * as clients from '#lib/operations/workspaces/client-campaigns'
import * as invitations from '#lib/operations/workspaces/invitations'
import * as members from '#lib/operations/workspaces/members'
import * as workspaces from '#lib/operations/workspaces/workspaces'
import { answered, perform } from '../../../action.ts'
import { formResult, formText } from '../../../form-result.ts'

const PAGE = '/settings/members'
const currentWorkspace = async () => ({ workspace_id: (await requireUser()).workspace_id })

/** Runs a change of the members and refreshes the page. */
const changing = (work: () => Promise<string>): Promise<FormResult> =>
  formResult(async () => {
    const said = await work()
    revalidatePath('/', 'layout')
    return said
  })

type Made = { mailed: boolean; email: string; url: string }

/** The link of an invitation that was not emailed; the page gets it only through this answer. */
async function inviting(work: () => Promise<Made>): Promise<InvitationResult> {
  let made: Made | undefined
  const result = await changing(async () => {
    made = await work()
    return made.mailed ? `Invitation sent to ${made.email}.` : 'Invitation created.'
  })
  return made && !made.mailed ? { ...result, link: { email: made.email, url: made.url } } : result
}

export async function invite(data: FormData): Promise<InvitationResult> {
  const role = formText(data, 'role')
  // The campaign checkboxes are hidden for other roles.
  const campaign_ids = role === 'client' ? data.getAll('campaign_ids') : []
  const body = { email: formText(data, 'email'), role, campaign_ids }
  return inviting(async () =>
    perform(invitations.createInvitation, { params: await currentWorkspace(), body }),
  )
}

export async function resend(invitationId: string): Promise<InvitationResult> {
  return inviting(async () => {
    const params = { ...(await currentWorkspace()), invitation_id: invitationId }
    return perform(invitations.resendInvitation, { params })
  })
}

export async function revoke(invitationId: string): Promise<FormResult> {
  return changing(async () => {
    await perform(invitations.revokeInvitation, {
      params: { ...(await currentWorkspace()), invitation_id: invitationId },
    })
    return 'Invitation revoked.'
  })
}

export async function changeRole(userId: string, role: string, version: number): Promise<FormResult> {
  return changing(async () => {
    const params = { ...(await currentWorkspace()), user_id: userId }
    const member = await perform(members.updateMember, { params, body: { role, version } })
    return `${member.name} now has the role ${member.role}.`
  })
}

export async function chooseCampaigns(
  userId: string,
  version: number,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  return changing(async () => {
    const params = { ...(await currentWorkspace()), user_id: userId }
    const body = { campaign_ids: data.getAll('campaign_ids'), version }
    const { campaign_ids } = await perform(clients.setClientCampaigns, { params, body })
    return campaign_ids.length === 1
      ? 'They can now see 1 campaign.'
      : `They can now see ${campaign_ids.length} campaigns.`
  })
}

const removal = async (user_id: string, hand_to?: string) => ({
  params: { ...(await currentWorkspace()), user_id },
  query: hand_to ? { hand_to } : {},
})

export async function previewRemoval(userId: string, heirId?: string): Promise<RemovalAnswer> {
  return answered(async () => perform(members.readMemberRemoval, await removal(userId, heirId)))
}

export async function removeMember(userId: string, heirId?: string): Promise<FormResult> {
  return changing(async () => {
    await perform(members.removeMember, await removal(userId, heirId))
    return 'Removed from the workspace.'
  })
}

export async function handOn(userId: string): Promise<FormResult> {
  return changing(async () => {
    const { name } = await perform(members.handOnWorkspace, {
      params: await currentWorkspace(),
      body: { user_id: userId },
    })
    return `${name} now owns the workspace. You are an admin.`
  })
}

export async function leave(): Promise<FormResult> {
  const result = await changing(async () => {
    await perform(members.leaveWorkspace, { params: await currentWorkspace() })
    return 'You left the workspace.'
  })
  if (result.ok) redirect('/home')
  return result
}

export async function rename(_: FormResult | null, data: FormData): Promise<FormResult> {
  return changing(async () => {
    const body = { name: formText(data, 'name'), slug: formText(data, 'slug') }
    await perform(workspaces.updateWorkspace, { params: await currentWorkspace(), body })
    return 'Workspace saved.'
  })
}

export async function assignReplies(_: FormResult | null, data: FormData): Promise<FormResult> {
  return changing(async () => {
    const body = {
      reply_assignment: formText(data, 'reply_assignment'),
      reply_assignees: data.getAll('reply_assignees'),
    }
    await perform(workspaces.updateWorkspace, { params: await currentWorkspace(), body })
    return 'Reply assignment saved.'
  })
}

export async function create(_: FormResult | null, data: FormData): Promise<FormResult> {
  let slug = ''
  const result = await formResult(async () => {
    slug = (await perform(workspaces.createWorkspace, { body: { name: formText(data, 'new_name') } })).slug
    return undefined
  })
  if (!result.ok) return result
  redirect(`/w/${slug}${PAGE}`)
}

/** Redirects to another of the user's workspaces, or to an empty one, since this page is gone. */
export async function eraseThisWorkspace(_: FormResult | null, data: FormData): Promise<FormResult> {
  const result = await formResult(async () => {
    const body = { name: formText(data, 'erased_name'), token: formText(data, 'token') }
    await perform(workspaces.eraseWorkspace, { params: await currentWorkspace(), body })
    return undefined
  })
  if (!result.ok) return result
  redirect('/home')
}
