'use server'

import { revalidatePath } from 'next/cache'
import type { FormResult } from '#components/ui/controls/action-form'
import { requireUser } from '#lib/http/session'
import * as groups from '#lib/operations/workspaces/group-roles'
import * as domains from '#lib/operations/workspaces/sign-in-domains'
import { perform } from '../../../action.ts'
import { formResult, formText, formVersion } from '../../../form-result.ts'

const currentWorkspace = async () => ({ workspace_id: (await requireUser()).workspace_id })
const oneDomain = async (id: string) => ({ ...(await currentWorkspace()), sign_in_domain_id: id })

/** Runs a change of how people join and refreshes the page. */
const changing = (work: () => Promise<string>): Promise<FormResult> =>
  formResult(async () => {
    const said = await work()
    revalidatePath('/settings/members')
    return said
  })

export async function addDomain(_: FormResult | null, data: FormData): Promise<FormResult> {
  return changing(async () => {
    const body = { domain: formText(data, 'domain'), role: formText(data, 'role') }
    const { domain } = await perform(domains.createSignInDomain, { params: await currentWorkspace(), body })
    return `${domain} is added. Publish its record, then verify it.`
  })
}

export async function changeDomain(
  id: string,
  version: number,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  return changing(async () => {
    const body = { role: formText(data, 'role'), version }
    const { domain, role } = await perform(domains.updateSignInDomain, { params: await oneDomain(id), body })
    return `People who join with ${domain} now become a ${role}.`
  })
}

export async function verifyDomain(id: string): Promise<FormResult> {
  const result = await changing(async () => {
    const { domain } = await perform(domains.verifySignInDomain, { params: await oneDomain(id) })
    return `${domain} is verified.`
  })
  // A domain verified earlier may no longer be.
  if (!result.ok) revalidatePath('/settings/members')
  return result
}

export async function removeDomain(id: string): Promise<FormResult> {
  return changing(async () => {
    await perform(domains.deleteSignInDomain, { params: await oneDomain(id) })
    return 'Domain removed.'
  })
}

/** Ignores empty rows. */
function rowsIn(data: FormData) {
  const rows = []
  for (let index = 0; data.has(`roles.${index}.group`); index++) {
    const group = formText(data, `roles.${index}.group`)
    if (group !== '') rows.push({ group, role: formText(data, `roles.${index}.role`) })
  }
  return rows
}

export async function saveGroups(_: FormResult | null, data: FormData): Promise<FormResult> {
  return changing(async () => {
    const body = {
      roles: rowsIn(data),
      includes_invited: data.has('includes_invited'),
      version: formVersion(data),
    }
    await perform(groups.replaceGroupRoles, { params: await currentWorkspace(), body })
    return 'Groups saved. They apply from the next sign-in.'
  })
}
