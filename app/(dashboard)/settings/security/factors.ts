'use server'

import { revalidatePath } from 'next/cache'
import { renderSVG } from 'uqr'
import type { FormResult } from '#components/ui/controls/action-form'
import type { Contract, Output } from '#lib/contracts/contract'
import type { Operation } from '#lib/operations/operation'
import * as passkeys from '#lib/operations/workspaces/passkeys'
import * as proof from '#lib/operations/workspaces/proof'
import * as factor from '#lib/operations/workspaces/second-factor'
import { action, answered, formAction, perform } from '../../../action.ts'

const anew = '/settings/security'

const proveByForm = formAction(proof.proveIdentity, (data) => ({ body: Object.fromEntries(data) }), { anew })

export async function prove(previous: FormResult | null, data: FormData): Promise<FormResult> {
  const said = await proveByForm(previous, data)
  return said.ok || !said.fields ? said : { ...said, message: 'That is not correct. Try again.' }
}

export const provePasskey = action(proof.proveIdentity, (passkey: unknown) => ({ body: { passkey } }), {
  anew,
})

export async function startProof() {
  return perform(proof.startProof)
}

export async function startPasskey() {
  return answered(() => perform(passkeys.startPasskey))
}

export const addPasskey = action(
  passkeys.addPasskey,
  (name: string, answer: unknown) => ({ body: { name, answer } }),
  { anew, said: 'Passkey added.' },
)

export const renamePasskey = action(
  passkeys.renamePasskey,
  (passkey_id: string, name: string, version: number) => ({
    params: { passkey_id },
    body: { name, version },
  }),
  { anew, said: 'Passkey renamed.' },
)

export const removePasskey = action(
  passkeys.removePasskey,
  (passkey_id: string) => ({ params: { passkey_id } }),
  { anew, said: 'Passkey removed.' },
)

/** Includes the QR code for an authenticator app. */
export async function startSecondFactor() {
  return answered(async () => {
    const app = await perform(factor.startSecondFactor)
    return { ...app, square: renderSVG(app.uri, { border: 2 }) }
  })
}

/** For operations whose answer is shown only once. */
async function changed<C extends Contract>(operation: Operation<C>, body?: unknown) {
  const said = await answered<Output<C>>(() => perform(operation, { body }))
  if (said.ok) revalidatePath(anew)
  return said
}

export async function turnOnSecondFactor(code: string) {
  return changed(factor.turnOnSecondFactor, { code })
}

export async function replaceRecoveryCodes() {
  return changed(factor.replaceRecoveryCodes)
}

export const turnOffSecondFactor = action(factor.turnOffSecondFactor, () => ({}), {
  anew,
  said: 'Second factor turned off.',
})
