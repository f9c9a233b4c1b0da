'use server'

import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import { pathOfBrowser } from '#lib/http/session'
import { backFromSandbox, SANDBOX_KINDS, signInToSandbox } from '#lib/services/sandbox/network'
import { formResult, formText } from '../../../form-result.ts'

type Link = { state: string; account: string | null; back: string }

/** Open to anybody with one of our links, whose state identifies the account. */
export async function signIn(
  { state, account, back }: Link,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  return formResult(async () => {
    const name = formText(data, 'name').slice(0, 100) || 'Sandbox account'
    const kind = SANDBOX_KINDS.find((one) => one === formText(data, 'kind')) ?? 'free'
    await signInToSandbox({ state, account, name, kind }, new Date())
    redirect(await pathOfBrowser(backFromSandbox(back, false)))
  })
}
