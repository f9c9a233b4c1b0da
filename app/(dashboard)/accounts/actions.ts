'use server'

import * as operations from '#lib/operations/senders/connected-accounts'
import * as senderMembers from '#lib/operations/senders/sender-members'
import { action, formAction } from '../../action.ts'
import { formNumber, formText, formVersion } from '../../form-result.ts'

const thisAccount = (account_id: string) => ({ params: { account_id } })
const anew = '/accounts'

export const connect = formAction(
  operations.createAuthLink,
  (data) => ({ body: { provider: formText(data, 'provider') } }),
  { to: ({ url }) => url },
)

export const reconnect = action(
  operations.reconnectAccount,
  (account_id: string) => ({ ...thisAccount(account_id), body: { return_path: '/accounts' } }),
  { to: ({ url }) => url },
)

export const remove = action(operations.disconnectAccount, thisAccount, {
  anew,
  said: 'Account disconnected.',
})

export const prefer = action(
  operations.updateConnectedAccount,
  (account_id: string) => ({ ...thisAccount(account_id), body: { is_default: true } }),
  { anew, said: 'This is now the default account for posts.' },
)

const thisMember = (account_id: string, user_id: string) => ({ params: { account_id, user_id } })

export const giveAccount = formAction(
  senderMembers.giveAccount,
  (data, account_id: string) => thisMember(account_id, formText(data, 'user_id')),
  { anew, said: ({ name }) => `${name} can act from this account now.` },
)

export const takeAccount = action(senderMembers.takeAccount, thisMember, {
  anew,
  said: 'Access to the account removed.',
})

/** The action types for which the form has fields. */
const cappedTypes = (data: FormData) =>
  [...data.keys()].flatMap((name) => /^limits\.(\w+)\.day$/.exec(name)?.[1] ?? [])

/** The cap of one action type; empty fields restore the default. */
function readCap(data: FormData, type: string) {
  const day = formNumber(data, `limits.${type}.day`)
  const week = formNumber(data, `limits.${type}.week`)
  if (day === undefined && week === undefined) return null
  return { ...(day === undefined ? {} : { day }), ...(week === undefined ? {} : { week }) }
}

export const save = formAction(
  operations.updateConnectedAccount,
  (data, account_id: string) => {
    const start = formNumber(data, 'ramp_up.start')
    const increase_per_day = formNumber(data, 'ramp_up.increase_per_day') ?? 0
    return {
      ...thisAccount(account_id),
      body: {
        version: formVersion(data),
        name: formText(data, 'name'),
        min_interval_seconds: formNumber(data, 'min_interval_seconds'),
        ramp_up: start === undefined ? null : { start, increase_per_day },
        limits: Object.fromEntries(cappedTypes(data).map((type) => [type, readCap(data, type)])),
      },
    }
  },
  { anew, said: 'Account saved.' },
)
