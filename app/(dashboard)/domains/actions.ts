'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import type { Contract } from '#lib/contracts/contract'
import {
  CreateDomain,
  DeleteDomain,
  ReadDomain,
  RotateDomainKey,
  UpdateDomain,
  VerifyDomain,
} from '#lib/contracts/domains/domains'
import { UpdateAccountSettings } from '#lib/contracts/workspaces/account-settings'
import { requireUser } from '#lib/http/session'
import * as service from '#lib/services/domains/domains'
import { rotateKey } from '#lib/services/domains/keys'
import { updateAccountSettings } from '#lib/services/workspaces/account-settings'
import { formResult, textOf } from '../../form-result.ts'
import { noted } from '../../noted.ts'

export async function addDomain(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const body = CreateDomain.body.parse({ domain: textOf(data, 'domain') })
    const { domain_id } = await service.createDomain(user.user_id, body, new Date())
    await noted(user, CreateDomain, { domain_id })
    revalidatePath('/domains')
    redirect(`/domains/${domain_id}`)
  })
}

/** One act on a domain of the user's, and its page anew. */
async function act(
  domainId: string,
  contract: Contract,
  work: (userId: string, id: string) => Promise<string>,
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { domain_id } = ReadDomain.params.parse({ domain_id: domainId })
    const message = await work(user.user_id, domain_id)
    await noted(user, contract, { domain_id })
    revalidatePath('/domains', 'layout')
    return message
  })
}

export async function verifyDomain(domainId: string): Promise<FormResult> {
  return act(domainId, VerifyDomain, async (userId, id) => {
    const { status } = await service.verifyDomain(userId, id, new Date())
    return status === 'verified'
      ? 'Every required record is there.'
      : 'Checked. Some records are still missing.'
  })
}

export async function rotateDomainKey(domainId: string): Promise<FormResult> {
  return act(domainId, RotateDomainKey, async (userId, id) => {
    await rotateKey(userId, id, new Date())
    return 'A new key is made: publish its record.'
  })
}

export async function setBounceAddress(domainId: string, on: boolean): Promise<FormResult> {
  return act(domainId, UpdateDomain, async (userId, id) => {
    const body = UpdateDomain.body.parse({ bounce_address: on })
    await service.updateDomain(userId, id, body, new Date())
    return on ? 'Publish both records of the bounce address.' : 'Bounces come to the mailboxes again.'
  })
}

export async function deleteDomain(domainId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { domain_id } = ReadDomain.params.parse({ domain_id: domainId })
    await service.deleteDomain(user.user_id, domain_id)
    await noted(user, DeleteDomain, { domain_id })
    revalidatePath('/domains')
    redirect('/domains')
  })
}

export async function demandVerified(on: boolean): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    await updateAccountSettings(
      user.user_id,
      UpdateAccountSettings.body.parse({ require_verified_domain: on }),
    )
    await noted(user, UpdateAccountSettings)
    revalidatePath('/domains')
    return on
      ? 'Campaigns launch only from verified domains now.'
      : 'Campaigns may launch from any domain again.'
  })
}
