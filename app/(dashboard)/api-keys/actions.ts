'use server'

import { revalidatePath } from 'next/cache'
import type { NewKey, NewKeyAnswer } from '#components/workspaces/keys/create-key'
import type { SaveKey } from '#components/workspaces/keys/edit-key'
import { tokenForMe } from '#lib/http/session'
import * as operations from '#lib/operations/workspaces/api-keys'
import { action, answered, perform } from '../../action.ts'

async function withKey(work: () => Promise<{ key: string }>): Promise<NewKeyAnswer> {
  const made = await answered(work)
  if (!made.ok) return made
  revalidatePath('/api-keys')
  return { ok: true, key: made.answer.key }
}

export async function createKey(body: NewKey): Promise<NewKeyAnswer> {
  return withKey(() => perform(operations.createApiKey, { body }))
}

export async function rollKey(id: string, overlap_hours: number): Promise<NewKeyAnswer> {
  return withKey(() => perform(operations.rollApiKey, { params: { id }, body: { overlap_hours } }))
}

export const saveKey = action(
  operations.updateApiKey,
  (id: string, body: Parameters<SaveKey>[1]) => ({ params: { id }, body }),
  {
    anew: '/api-keys',
    control: (path) => path.replace(/\.\d+$/, ''),
    said: 'Key saved.',
  },
)

export const revokeKey = action(operations.revokeApiKey, (id: string) => ({ params: { id } }), {
  anew: '/api-keys',
  said: 'Key revoked.',
})

/** A JWT of whoever is signed in, for trying the API by hand. */
export async function showToken(): Promise<string> {
  return tokenForMe()
}
