'use server'

import { revalidatePath } from 'next/cache'
import type { NewKeyAnswer } from '#components/workspaces/create-key'
import type { Scope } from '#lib/contracts/contract'
import { tokenForMe } from '#lib/http/session'
import * as operations from '#lib/operations/workspaces/api-keys'
import { action, answered, perform } from '../../action.ts'

export async function createKey(name: string, scopes: Scope[], expires: string): Promise<NewKeyAnswer> {
  const made = await answered(() => perform(operations.createApiKey, { body: { name, scopes, expires } }))
  if (!made.ok) return made
  revalidatePath('/api-keys')
  return { ok: true, key: made.answer.key }
}

export const revokeKey = action(operations.revokeApiKey, (id: string) => ({ params: { id } }), {
  anew: '/api-keys',
  said: 'The key is revoked.',
})

/** A JWT of whoever is signed in, for trying the API by hand. */
export async function showToken(): Promise<string> {
  return tokenForMe()
}
