'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import {
  CreateAuthLink,
  DisconnectAccount,
  ReconnectAccount,
  UpdateConnectedAccount,
} from '#lib/contracts/senders/connected-accounts'
import { requireUser } from '#lib/http/session'
import * as service from '#lib/services/social/connected-accounts'
import { createAuthLink, reconnectAccount } from '#lib/services/social/connections'
import { formResult, numberOf, textOf, versionOf } from '../../form-result.ts'
import { noted } from '../../noted.ts'

export async function connect(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const body = CreateAuthLink.body.parse({ provider: textOf(data, 'provider') })
    const { url } = await createAuthLink(user.user_id, body, new Date())
    await noted(user, CreateAuthLink)
    redirect(url)
  })
}

export async function reconnect(accountId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { account_id } = ReconnectAccount.params.parse({ account_id: accountId })
    const { url } = await reconnectAccount(user.user_id, account_id, '/accounts', new Date())
    await noted(user, ReconnectAccount, { account_id })
    redirect(url)
  })
}

export async function remove(accountId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { account_id } = DisconnectAccount.params.parse({ account_id: accountId })
    await service.disconnectAccount(user.user_id, account_id)
    await noted(user, DisconnectAccount, { account_id })
    revalidatePath('/accounts')
    return 'The account is disconnected.'
  })
}

async function change(accountId: string, fields: unknown): Promise<void> {
  const user = await requireUser()
  const { account_id } = UpdateConnectedAccount.params.parse({ account_id: accountId })
  const body = UpdateConnectedAccount.body.parse(fields)
  await service.updateConnectedAccount(user.user_id, account_id, body, new Date())
  await noted(user, UpdateConnectedAccount, { account_id })
  revalidatePath('/accounts', 'layout')
}

export async function prefer(accountId: string): Promise<FormResult> {
  return formResult(async () => {
    await change(accountId, { is_default: true })
    return 'Posts leave from this account where none is named.'
  })
}

/** The action types that the form has fields for. */
const cappedTypes = (data: FormData) =>
  [...data.keys()].flatMap((name) => /^limits\.(\w+)\.day$/.exec(name)?.[1] ?? [])

/** Of one action type: nothing given brings the default back. */
function capOf(data: FormData, type: string) {
  const day = numberOf(data, `limits.${type}.day`)
  const week = numberOf(data, `limits.${type}.week`)
  if (day === undefined && week === undefined) return null
  return { ...(day === undefined ? {} : { day }), ...(week === undefined ? {} : { week }) }
}

export async function save(accountId: string, _: FormResult | null, data: FormData): Promise<FormResult> {
  return formResult(async () => {
    const start = numberOf(data, 'ramp_up.start')
    await change(accountId, {
      version: versionOf(data),
      name: textOf(data, 'name'),
      min_interval_seconds: numberOf(data, 'min_interval_seconds'),
      ramp_up:
        start === undefined
          ? null
          : { start, increase_per_day: numberOf(data, 'ramp_up.increase_per_day') ?? 0 },
      limits: Object.fromEntries(cappedTypes(data).map((type) => [type, capOf(data, type)])),
    })
    return 'The account is saved.'
  })
}
