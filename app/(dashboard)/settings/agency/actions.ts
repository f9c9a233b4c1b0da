'use server'

import { revalidatePath } from 'next/cache'
import type { FormResult } from '#components/ui/controls/action-form'
import { requireUser } from '#lib/http/session'
import * as operations from '#lib/operations/workspaces/agency'
import { perform } from '../../../action.ts'
import { formResult, formText, formVersion } from '../../../form-result.ts'

const currentWorkspace = async () => ({ workspace_id: (await requireUser()).workspace_id })

const changing = (work: () => Promise<string>): Promise<FormResult> =>
  formResult(async () => {
    const said = await work()
    revalidatePath('/', 'layout')
    return said
  })

export async function setParent(_: FormResult | null, data: FormData): Promise<FormResult> {
  const body = {
    parent_workspace_id: formText(data, 'parent_workspace_id'),
    version: formVersion(data),
  }
  return changing(async () => {
    const { parent } = await perform(operations.setParent, { params: await currentWorkspace(), body })
    return `${parent?.name} is the parent now.`
  })
}

export async function leaveParent(
  workspaceId: string,
  suppressions: 'copy' | 'release',
): Promise<FormResult> {
  return changing(async () => {
    await perform(operations.leaveParent, { params: { workspace_id: workspaceId }, query: { suppressions } })
    return 'The workspaces are separate now.'
  })
}

export async function shareUnsubscribes(_: FormResult | null, data: FormData): Promise<FormResult> {
  const body = { share_unsubscribes: data.has('share_unsubscribes'), version: formVersion(data) }
  return changing(async () => {
    await perform(operations.updateAgency, { params: await currentWorkspace(), body })
    return 'Setting saved.'
  })
}
