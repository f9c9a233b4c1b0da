import type { ConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import { textLimits } from '#lib/domain/social/social-limits'
import { KINDS, type Kind, NETWORKS } from './kinds.tsx'

/** The accounts a campaign acts from: the one it names, or all LinkedIn accounts of its owner. */
export function actingAccounts(accounts: ConnectedAccount[], chosen: string | null): ConnectedAccount[] {
  return accounts.filter(({ account_id, provider }) =>
    chosen === null ? provider === 'linkedin' : account_id === chosen,
  )
}

export const accountLabel = ({ name, provider, kind, status }: ConnectedAccount): string =>
  `${name} · ${NETWORKS[provider] ?? provider} ${kind}${status === 'disconnected' ? ' (signed out)' : ''}`

/** Why none of the accounts can perform the action; null if one can. */
export function accountObstacle(kind: Kind, acting: ConnectedAccount[]): string | null {
  if (kind === 'email') return null
  const connected = acting.filter(({ status }) => status !== 'disconnected')
  if (acting.length === 0) return 'No connected account can do this.'
  if (connected.length === 0) return 'The account is signed out, so the campaign would stop at this step.'
  const isAble = connected.some(({ limits }) => {
    const cap = limits.caps.find(({ action_type }) => action_type === kind)
    return !cap || (cap.day !== 0 && cap.week !== 0)
  })
  return isAble
    ? null
    : `The cap for “${KINDS[kind].label}” is 0 on this kind of account, so it would never happen.`
}

export type Room = { text: number; subject: number | null; isNote: boolean }

/** The text limit of a step for its most restricted account; null if the step has no text. */
export function textRoom(kind: Kind, acting: ConnectedAccount[]): Room | null {
  const limits = acting.length > 0 ? acting.map(textLimits) : [textLimits({ provider: '', kind: '' })]
  const least = (key: keyof ReturnType<typeof textLimits>) => Math.min(...limits.map((limit) => limit[key]))
  switch (kind) {
    case 'connection_request':
      return { text: least('note'), subject: null, isNote: true }
    case 'message':
      return { text: least('message'), subject: null, isNote: false }
    case 'inmail':
      return { text: least('inmail'), subject: least('inmail_subject'), isNote: false }
    case 'comment_post':
      return { text: least('comment'), subject: null, isNote: false }
    default:
      return null
  }
}
