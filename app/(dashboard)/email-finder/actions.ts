'use server'

import type { Found, Verified } from '#components/datasets/finder-forms'
import type { Ask } from '#components/ui/use-asked'
import type { Contract } from '#lib/contracts/contract'
import { findEmail, verifyEmail } from '#lib/operations/enrichment/email-finder'
import type { Operation } from '#lib/operations/operation'
import { answered, perform } from '../../action.ts'

/** Errors the user can act upon are returned as messages, as in every form. */
async function ask<C extends Contract>(operation: Operation<C>, data: FormData) {
  const tried = await answered(() => perform(operation, { body: Object.fromEntries(data) }))
  if (tried.ok) return { answer: tried.answer }
  return { problem: tried.message.replace('Nothing was saved. ', '') }
}

export const find: Ask<Found> = async (_, data) => ask(findEmail, data)
export const verify: Ask<Verified> = async (_, data) => ask(verifyEmail, data)
