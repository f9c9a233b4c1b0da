'use server'

import { revalidatePath } from 'next/cache'
import type { FormResult } from '#components/ui/controls/action-form'
import type { NewKeyAnswer } from '#components/workspaces/create-key'
import type { Scope } from '#lib/contracts/contract'
import { CreateApiKey, RevokeApiKey } from '#lib/contracts/workspaces/api-keys'
import { requireUser, tokenForMe } from '#lib/http/session'
import * as service from '#lib/services/workspaces/api-keys'
import { formResult } from '../../form-result.ts'
import { noted } from '../../noted.ts'

export async function createKey(name: string, scopes: Scope[], expiry: string): Promise<NewKeyAnswer> {
  const user = await requireUser()
  let key = ''
  const result = await formResult(async () => {
    const now = new Date()
    const expires_at = (await service.endOfKey(user.user_id, expiry, now))?.toISOString() ?? null
    const body = CreateApiKey.body.parse({ name, scopes, expires_at })
    const made = await service.createApiKey(user.user_id, body, now)
    await noted(user, CreateApiKey, {}, { id: made.id })
    key = made.key
    revalidatePath('/api-keys')
    return undefined
  })
  return result.ok ? { ok: true, key } : { ok: false, message: result.message }
}

export async function revokeKey(keyId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { id } = RevokeApiKey.params.parse({ id: keyId })
    await service.revokeApiKey(user.user_id, id, new Date())
    await noted(user, RevokeApiKey, { id })
    revalidatePath('/api-keys')
    return 'The key is revoked.'
  })
}

/** A JWT of whoever is signed in, for trying the API by hand. */
export async function showToken(): Promise<string> {
  return tokenForMe()
}
