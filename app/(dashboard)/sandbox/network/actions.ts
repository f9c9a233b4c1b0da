'use server'

import { revalidatePath } from 'next/cache'
import type { FormResult } from '#components/ui/controls/action-form'
import { requireUser } from '#lib/http/session'
import * as network from '#lib/services/sandbox/network'
import { formResult } from '../../../form-result.ts'

/** What the page lets the pretended network do; each is for the signed-in person's own accounts alone. */
async function done(work: (userId: string) => Promise<void>, message: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    await work(user.user_id)
    revalidatePath('/', 'layout')
    return message
  })
}

export const signOut = async (account: string): Promise<FormResult> =>
  done((userId) => network.signOutInSandbox(userId, account), 'The network signed the account out.')

export const limit = async (account: string): Promise<FormResult> =>
  done(
    (userId) => network.limitInSandbox(userId, account, 5),
    'The next five actions are refused as too many.',
  )

export const accept = async (account: string, person: string): Promise<FormResult> =>
  done(
    (userId) => network.decideInSandbox(userId, account, person, true, new Date()),
    'They accepted the invitation.',
  )

export const ignore = async (account: string, person: string): Promise<FormResult> =>
  done(
    (userId) => network.decideInSandbox(userId, account, person, false, new Date()),
    'They will never accept.',
  )

export const answer = async (account: string, person: string): Promise<FormResult> =>
  done((userId) => network.answerInSandbox(userId, account, person, new Date()), 'They wrote to you.')
